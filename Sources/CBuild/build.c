#include "build.h"

// In C, since Swift's compiler takes no value on its command line.
const char *paraph_commit(void) { return PARAPH_COMMIT; }
