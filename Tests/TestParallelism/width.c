#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/// Of its own accord the testing library starts every test of the bundle at once, and the time limits of proxies under
/// test then end what merely waits for a processor. It reads how many may run together from the environment; `swift
/// test` has no option for it.
__attribute__((constructor)) static void limit_tests_at_once(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    char width[24];
    snprintf(width, sizeof width, "%ld", 3 * (processors > 1 ? processors : 1));
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", width, 0);
}
