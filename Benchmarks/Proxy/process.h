// What a process has used, from proc(5).
#ifndef PROCESS_H
#define PROCESS_H

// User and system time of all its threads, in seconds.
double processTime(int pid);

// KiB of its memory that are resident, and the most that were since the last call of forgetPeak.
long residentMemory(int pid);
long peakMemory(int pid);
void forgetPeak(int pid);

#endif
