// Nothing to call: see width.c and descriptors.c.
