#include <math.h>

// Swift's module of glibc, and swift-numerics, refer to these functions, whether anybody calls them or not. As glibc's
// have a version of their own since 2.35, the program would not start where glibc is older. This is what glibc computes.
float hypotf(float x, float y) {
    if (isinf(x) || isinf(y)) return INFINITY;
    return (float)sqrt((double)x * (double)x + (double)y * (double)y);
}

double hypot(double x, double y) { return (double)hypotl(x, y); }
