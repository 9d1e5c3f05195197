#include <math.h>

// Swift's module of glibc refers to this function, whether anybody calls it or not. As glibc's has a version of its own
// since 2.35, the program would not start where glibc is older. This is what glibc computes.
float hypotf(float x, float y) {
    if (isinf(x) || isinf(y)) return INFINITY;
    return (float)sqrt((double)x * (double)x + (double)y * (double)y);
}
