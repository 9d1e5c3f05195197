// How long requests took, to a tenth of a microsecond, up to 0.4 seconds.
#ifndef LATENCY_H
#define LATENCY_H

#include <string.h>

enum { LATENCY_STEPS = 4000000 };

static unsigned latencyCounts[LATENCY_STEPS];
static long latencyTotal;

static inline void noteLatency(double seconds) {
    long step = (long)(seconds * 1e7);
    latencyCounts[step < 0 ? 0 : step < LATENCY_STEPS ? step : LATENCY_STEPS - 1]++;
    latencyTotal++;
}

static inline void forgetLatencies(void) {
    memset(latencyCounts, 0, sizeof latencyCounts);
    latencyTotal = 0;
}

// The time, in microseconds, within which this part of the requests was answered.
static inline double latencyOf(double part) {
    long seen = 0;
    for (long step = 0; step < LATENCY_STEPS; step++)
        if ((seen += latencyCounts[step]) > (long)(part * (double)latencyTotal)) return (double)step / 10;
    return 0;
}

#endif
