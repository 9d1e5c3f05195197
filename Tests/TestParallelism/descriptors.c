#include <sys/resource.h>

/// Tests that run together have more connections open than the 1,024 files that a shell often allows; the proxy raises
/// the limit for itself only where it is run as a program.
__attribute__((constructor)) static void raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}
