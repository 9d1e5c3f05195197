#include "process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *openFile(int pid, const char *name, const char *mode) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    FILE *file = fopen(path, mode);
    if (!file) {
        fprintf(stderr, "loadgen: %s cannot be opened\n", path);
        exit(1);
    }
    return file;
}

// The fields 14 and 15 of stat.
double processTime(int pid) {
    if (!pid) return 0;
    char line[1024] = "";
    FILE *file = openFile(pid, "stat", "r");
    if (!fgets(line, sizeof line, file)) line[0] = 0;
    fclose(file);
    unsigned long user, system;
    char *fields = strrchr(line, ')');  // the name of the program before it may contain anything
    if (!fields || sscanf(fields + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2) {
        fprintf(stderr, "loadgen: process %d has ended\n", pid);
        exit(1);
    }
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static long statusField(int pid, const char *name) {
    if (!pid) return 0;
    char line[256];
    long value = 0;
    FILE *file = openFile(pid, "status", "r");
    while (fgets(line, sizeof line, file))
        if (!strncmp(line, name, strlen(name))) value = atol(line + strlen(name));
    fclose(file);
    return value;
}

long residentMemory(int pid) { return statusField(pid, "VmRSS:"); }
long peakMemory(int pid) { return statusField(pid, "VmHWM:"); }

void forgetPeak(int pid) {
    if (!pid) return;
    FILE *file = openFile(pid, "clear_refs", "w");
    fputs("5\n", file);
    fclose(file);
}
