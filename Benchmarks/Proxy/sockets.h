// Connections on loopback.
#ifndef SOCKETS_H
#define SOCKETS_H

#include <netinet/in.h>

// Ends the program with a line on standard error.
void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

struct sockaddr_in loopback(int port);

// A blocking connection; with an authority, the tunnel to it that CONNECT opens.
int openSocket(int port, const char *authority);

// The sockets stay open until the process ends, so that no port is printed twice.
void printFreePorts(int count);

#endif
