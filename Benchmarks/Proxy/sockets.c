#define _GNU_SOURCE
#include "sockets.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", program_invocation_short_name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

struct sockaddr_in loopback(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static void connectThroughProxy(int fd, const char *authority) {
    char text[1024];
    int length = snprintf(text, sizeof text, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", authority, authority);
    if (write(fd, text, (size_t)length) != length) fail("CONNECT cannot be sent");
    // Byte by byte: what follows the empty line belongs to the tunnel.
    for (length = 0; length < 4 || memcmp(text + length - 4, "\r\n\r\n", 4); length++)
        if (length == sizeof text - 1 || read(fd, text + length, 1) != 1) fail("no answer to CONNECT");
    text[length] = 0;
    if (strncmp(text, "HTTP/1.", 7) || strncmp(text + 8, " 200", 4)) fail("CONNECT was refused: %.60s", text);
}

int openSocket(int port, const char *authority) {
    struct sockaddr_in address = loopback(port);
    int on = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&address, sizeof address)) fail("port %d: %s", port, strerror(errno));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (authority) connectThroughProxy(fd, authority);
    return fd;
}

void printFreePorts(int count) {
    while (count-- > 0) {
        struct sockaddr_in address = loopback(0);
        socklen_t length = sizeof address;
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        if (bind(fd, (struct sockaddr *)&address, length) || getsockname(fd, (struct sockaddr *)&address, &length))
            fail("no free port: %s", strerror(errno));
        printf("%d\n", ntohs(address.sin_port));
    }
}
