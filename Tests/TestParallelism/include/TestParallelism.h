// Nothing to call: see width.c.
