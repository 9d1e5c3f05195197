// Lets a client that knows no proxies reach a host through CONNECT: every connection becomes a tunnel. See run.
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sockets.h"

typedef struct { int from, to; } Direction;

static void *copy(void *argument) {
    Direction direction = *(Direction *)argument;
    char block[65536];
    ssize_t count;
    free(argument);
    while ((count = read(direction.from, block, sizeof block)) > 0)
        for (ssize_t sent = 0, written; sent < count; sent += written)
            if ((written = write(direction.to, block + sent, (size_t)(count - sent))) <= 0) return 0;
    shutdown(direction.to, SHUT_WR);
    return 0;
}

static void startCopy(int from, int to) {
    Direction *direction = malloc(sizeof *direction);
    pthread_t thread;
    *direction = (Direction){from, to};
    pthread_create(&thread, 0, copy, direction);
    pthread_detach(thread);
}

int main(int argumentCount, char **arguments) {
    if (argumentCount != 4) {
        fputs("usage: relay PORT PROXY_PORT HOST:PORT\n", stderr);
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    struct sockaddr_in address = loopback(atoi(arguments[1]));
    int on = 1, listening = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listening, (struct sockaddr *)&address, sizeof address) || listen(listening, 128)) fail("cannot listen");
    while (1) {
        int client = accept(listening, 0, 0), server = openSocket(atoi(arguments[2]), arguments[3]);
        setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        startCopy(client, server);
        startCopy(server, client);
    }
}
