#include <malloc.h>
#include <sys/prctl.h>

// prctl(2) is variadic, which Swift cannot call.
static inline int set_dumpable(int is_dumpable) {
    return prctl(PR_SET_DUMPABLE, is_dumpable, 0, 0, 0);
}
