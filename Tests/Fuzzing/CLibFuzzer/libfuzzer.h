#include <stddef.h>
#include <stdint.h>

// libFuzzer as a library: runs one input after another through the function, as its command line says.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test)(const uint8_t *data, size_t size));
