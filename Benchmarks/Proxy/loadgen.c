// Requests on many connections at once, and what a process spends on them. See run.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "latency.h"
#include "process.h"
#include "sockets.h"

static const char USAGE[] =
    "usage: loadgen -t PORT -n HOST [-a FILE] [-x] [OPTION...] TARGET\n"
    "       loadgen -f N\n"
    "  -t  port of the proxy, on 127.0.0.1\n"
    "  -n  host that is asked for: its name in Host and in TLS\n"
    "  -a  certificates that are trusted (PEM); without it there is no TLS\n"
    "  -x  send CONNECT HOST:443 first; without TLS: name http://HOST in the request line\n"
    "  -X  what CONNECT names instead\n"
    "  -c  connections (64)      -w  time before the measurement (1)      -s  time of the measurement (3)\n"
    "  -p  process whose CPU time and memory are measured\n"
    "  -q  requests, after which it ends whatever the time; nothing comes before the measurement\n"
    "  -b  POST this form        -u  POST this number of bytes that are no form\n"
    "  -o  open a new connection for each request\n"
    "  -i  open the connections, use each once, wait for -s and use each again; print KiB for each of them\n"
    "  -r  name an account in each request, one of N at random: 100000 and up\n"
    "  -f  print N ports that are free, and nothing else\n"
    "Prints: requests answered, seconds, seconds of CPU time of the process (user and system), microseconds within which\n"
    "half and 99 % of the requests were answered, and KiB that were resident at most.\n"
    "SIGTERM ends the measurement early.\n"
    "Every answer has to be 200 with its whole length; anything else ends the program with status 1.\n";

enum { HEAD_LIMIT = 8192, BLOCK = 65536, REQUEST_LIMIT = 16384, FIRST_ACCOUNT = 100000, ACCOUNT_LIMIT = 900000 };

typedef struct {
    SSL *tls;
    int fd;
    int isWaiting;              // for EPOLLOUT
    long uploadLeft;            // bytes of the body that are to be sent
    size_t headLength;          // bytes of the head so far
    long bodyLeft;              // -1 while the head is read
    int isChunked;
    char end[5];                // of what was read of a body in chunks
    double begin;               // of the request
    char head[HEAD_LIMIT + 1];  // ends with a zero byte
} Connection;

static struct { const char *host, *authority; int port, isForward; SSL_CTX *tls; } proxy;
static char request[REQUEST_LIMIT];
static int requestLength;
static long uploadCount;
static char *accountDigits;  // in the request, where it names an account
static int accountCount;
static long answered, wanted;
static int epoll = -1;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// Blocks until the handshake is over.
static void openConnection(Connection *connection) {
    connection->fd = openSocket(proxy.port, proxy.tls && proxy.isForward ? proxy.authority : 0);
    if (!proxy.tls) return;
    connection->tls = SSL_new(proxy.tls);
    SSL_set_fd(connection->tls, connection->fd);
    SSL_set_tlsext_host_name(connection->tls, proxy.host);
    SSL_set1_host(connection->tls, proxy.host);
    if (SSL_connect(connection->tls) != 1) fail("the TLS handshake failed: %s", ERR_reason_error_string(ERR_peek_error()));
}

static void closeConnection(Connection *connection) {
    SSL_free(connection->tls);
    connection->tls = 0;
    close(connection->fd);
}

// Returns the bytes that went, 0 when there is no room.
static long sendBytes(Connection *connection, const char *bytes, long count) {
    if (!connection->tls) {
        long sent = write(connection->fd, bytes, (size_t)count);
        if (sent < 0 && errno != EAGAIN) fail("a connection was closed");
        return sent < 0 ? 0 : sent;
    }
    int sent = SSL_write(connection->tls, bytes, (int)count);
    if (sent > 0) return sent;
    if (SSL_get_error(connection->tls, sent) != SSL_ERROR_WANT_WRITE) fail("a request cannot be sent");
    return 0;
}

static void awaitRoom(Connection *connection, int isWaiting) {
    if (epoll < 0 || connection->isWaiting == isWaiting) return;
    struct epoll_event event = {.events = EPOLLIN | (isWaiting ? EPOLLOUT : 0), .data.ptr = connection};
    epoll_ctl(epoll, EPOLL_CTL_MOD, connection->fd, &event);
    connection->isWaiting = isWaiting;
}

static void sendUpload(Connection *connection) {
    static const char bytes[16384];
    while (connection->uploadLeft > 0) {
        long count = connection->uploadLeft < (long)sizeof bytes ? connection->uploadLeft : (long)sizeof bytes;
        long sent = sendBytes(connection, bytes, count);
        if (!sent) break;
        connection->uploadLeft -= sent;
    }
    awaitRoom(connection, connection->uploadLeft > 0);
}

static void sendRequest(Connection *connection) {
    connection->headLength = 0;
    connection->bodyLeft = -1;
    connection->uploadLeft = uploadCount;
    if (accountCount) {
        char digits[16];
        snprintf(digits, sizeof digits, "%d", FIRST_ACCOUNT + (int)(random() % accountCount));
        memcpy(accountDigits, digits, strlen(digits));
    }
    connection->begin = now();
    // One small request on an idle connection always fits into the socket's buffer.
    if (sendBytes(connection, request, requestLength) != requestLength) fail("a request cannot be sent");
    sendUpload(connection);
}

// Returns how many of the bytes belonged to the head.
static size_t takeHead(Connection *connection, const char *bytes, size_t count) {
    size_t before = connection->headLength, room = HEAD_LIMIT - before;
    size_t copied = count < room ? count : room;
    memcpy(connection->head + before, bytes, copied);
    connection->headLength += copied;
    connection->head[connection->headLength] = 0;
    char *end = strstr(connection->head, "\r\n\r\n");
    if (!end) {
        if (connection->headLength == HEAD_LIMIT) fail("an answer with too long a head");
        return copied;
    }
    end[2] = 0;
    const char *length = strcasestr(connection->head, "\r\ncontent-length:");
    connection->isChunked = strcasestr(connection->head, "\r\ntransfer-encoding: chunked\r\n") != 0;
    if (strncmp(connection->head, "HTTP/1.1 200", 12) || !(length || connection->isChunked))
        fail("unexpected answer: %s", connection->head);
    connection->bodyLeft = connection->isChunked ? LONG_MAX : atol(length + strlen("\r\ncontent-length:"));
    memset(connection->end, 0, sizeof connection->end);
    return (size_t)(end + 4 - connection->head) - before;
}

// Returns whether the last chunk was there. Nothing in the answers looks like it.
static int endsChunks(char *end, const char *bytes, size_t count) {
    size_t kept = count < 5 ? 5 - count : 0;
    memmove(end, end + 5 - kept, kept);
    memcpy(end + kept, bytes + count - (5 - kept), 5 - kept);
    return !memcmp(end, "0\r\n\r\n", 5);
}

// Returns whether the answer is complete.
static int take(Connection *connection, const char *bytes, size_t count) {
    if (connection->bodyLeft < 0) {
        size_t taken = takeHead(connection, bytes, count);
        bytes += taken;
        count -= taken;
        if (connection->bodyLeft < 0) return 0;
    }
    if ((long)count > connection->bodyLeft) fail("more bytes than an answer has");
    connection->bodyLeft -= (long)count;
    if (connection->isChunked) {
        if (!endsChunks(connection->end, bytes, count)) return 0;
    } else if (connection->bodyLeft > 0) {
        return 0;
    }
    if (connection->uploadLeft > 0) fail("an answer before the end of the request");
    return 1;
}

// Returns whether an answer is complete; without TLS, or blocking, as soon as something was read.
static int readAnswer(Connection *connection, int isBlocking) {
    char block[BLOCK];
    while (1) {
        long count = connection->tls ? SSL_read(connection->tls, block, sizeof block)
                                     : read(connection->fd, block, sizeof block);
        if (count > 0) {
            if (take(connection, block, (size_t)count)) return 1;
            continue;
        }
        int isDry = connection->tls ? SSL_get_error(connection->tls, (int)count) == SSL_ERROR_WANT_READ
                                    : count < 0 && errno == EAGAIN;
        if (!isDry || isBlocking) fail("a connection was closed");
        return 0;
    }
}

static void serve(Connection *connection, unsigned events) {
    if (events & EPOLLOUT) sendUpload(connection);
    while (events & EPOLLIN && readAnswer(connection, 0)) {
        noteLatency(now() - connection->begin);
        if (++answered == wanted) return;
        sendRequest(connection);
    }
}

static volatile sig_atomic_t isTold;  // to end

static void noteEnd(int number) {
    (void)number;
    isTold = 1;
}

static void serveUntil(double end) {
    struct epoll_event events[256];
    while (now() < end && !isTold && (!wanted || answered < wanted)) {
        int count = epoll_wait(epoll, events, 256, 10);
        for (int index = 0; index < count; index++) serve(events[index].data.ptr, events[index].events);
    }
}

static void startServing(Connection *connections, int count) {
    epoll = epoll_create1(0);
    for (int index = 0; index < count; index++) {
        openConnection(&connections[index]);
        fcntl(connections[index].fd, F_SETFL, O_NONBLOCK);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &connections[index]};
        epoll_ctl(epoll, EPOLL_CTL_ADD, connections[index].fd, &event);
    }
    for (int index = 0; index < count; index++) sendRequest(&connections[index]);
}

static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;

static void exchange(Connection *connection) {
    sendRequest(connection);
    if (!readAnswer(connection, 1)) fail("an answer ended early");
}

static void *openAgainAndAgain(void *connection) {
    while (1) {
        double begin = now();
        openConnection(connection);
        exchange(connection);
        closeConnection(connection);
        pthread_mutex_lock(&counting);
        answered++;
        noteLatency(now() - begin);
        pthread_mutex_unlock(&counting);
    }
    return 0;
}

static void startOpening(Connection *connections, int count) {
    for (int index = 0; index < count; index++) {
        pthread_t thread;
        if (pthread_create(&thread, 0, openAgainAndAgain, &connections[index])) fail("no thread can be started");
    }
}

static void waitUntil(double end) {
    struct timespec pause = {.tv_nsec = 1000000};
    while (now() < end && !isTold) nanosleep(&pause, 0);
}

static void measure(void (*runUntil)(double), int pid, double warmUp, double seconds) {
    if (!wanted) runUntil(now() + warmUp);
    forgetPeak(pid);
    pthread_mutex_lock(&counting);
    forgetLatencies();
    long before = wanted ? 0 : answered;
    pthread_mutex_unlock(&counting);
    double cpu = processTime(pid), start = now();
    runUntil(start + (wanted ? 3600 : seconds));
    long count = answered - before;
    double end = now(), used = processTime(pid) - cpu;
    printf("%ld %.3f %.2f %.1f %.1f %ld\n", count, end - start, used, latencyOf(0.5), latencyOf(0.99), peakMemory(pid));
}

static void measureIdle(Connection *connections, int count, int pid, double seconds) {
    Connection *first = calloc(1, sizeof *first);
    openConnection(first);
    for (int index = 0; index < 100; index++) exchange(first);
    long before = residentMemory(pid);
    for (int index = 0; index < count; index++) {
        openConnection(&connections[index]);
        exchange(&connections[index]);
    }
    waitUntil(now() + seconds);
    long after = residentMemory(pid);
    for (int index = 0; index < count; index++) exchange(&connections[index]);
    printf("%.2f\n", (double)(after - before) / count);
}

static char *readForm(const char *path) {
    static char form[REQUEST_LIMIT / 2];
    FILE *file = fopen(path, "r");
    if (!file || !fgets(form, sizeof form, file)) fail("%s cannot be read", path);
    fclose(file);
    return form;
}

static void composeRequest(const char *target, const char *form) {
    char body[256] = "";
    if (form || uploadCount)
        snprintf(
            body, sizeof body, "Content-Type: application/%s\r\nContent-Length: %ld\r\n",
            form ? "x-www-form-urlencoded" : "octet-stream", form ? (long)strlen(form) : uploadCount
        );
    requestLength = snprintf(
        request, sizeof request,
        "%s %s%s%s HTTP/1.1\r\nHost: %s\r\nUser-Agent: loadgen/1.0\r\nAccept: application/json\r\n"
        "Accept-Language: en-US,en;q=0.9\r\nAccept-Encoding: gzip, deflate\r\nCache-Control: no-cache\r\n"
        "Referer: https://www.example.com/home?lang=en\r\nCookie: guest=v1%%3A170000000000000000; lang=en\r\n"
        "X-Client-Version: 10.32.0\r\nX-Request-Source: timeline\r\n%s%s\r\n%s",
        *body ? "POST" : "GET", !proxy.tls && proxy.isForward ? "http://" : "",
        !proxy.tls && proxy.isForward ? proxy.host : "", target, proxy.host, body,
        accountCount ? "Paraph-Account: 100000\r\n" : "", form ? form : ""
    );
    if (requestLength >= (int)sizeof request) fail("the request is too long");
    if (accountCount) accountDigits = strstr(request, "Paraph-Account: ") + strlen("Paraph-Account: ");
}

int main(int argumentCount, char **arguments) {
    const char *trusted = 0, *form = 0;
    int count = 64, pid = 0, opens = 0, idles = 0, option;
    double warmUp = 1, seconds = 3;
    while ((option = getopt(argumentCount, arguments, "t:n:a:xX:c:w:s:p:q:b:u:oir:f:")) != -1) switch (option) {
        case 't': proxy.port = atoi(optarg); break;
        case 'n': proxy.host = optarg; break;
        case 'a': trusted = optarg; break;
        case 'X': proxy.authority = optarg; // fall through
        case 'x': proxy.isForward = 1; break;
        case 'c': count = atoi(optarg); break;
        case 'w': warmUp = atof(optarg); break;
        case 's': seconds = atof(optarg); break;
        case 'p': pid = atoi(optarg); break;
        case 'q': wanted = atol(optarg); break;
        case 'b': form = readForm(optarg); break;
        case 'u': uploadCount = atol(optarg); break;
        case 'o': opens = 1; break;
        case 'i': idles = 1; break;
        case 'r': accountCount = atoi(optarg); break;
        case 'f': printFreePorts(atoi(optarg)); return 0;
        default: fputs(USAGE, stderr); return 2;
    }
    int isWrong = !proxy.port || !proxy.host || count < 1 || accountCount < 0 || accountCount > ACCOUNT_LIMIT;
    if (isWrong || optind != argumentCount - 1) {
        fputs(USAGE, stderr);
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGTERM, noteEnd);
    if (trusted) {
        proxy.tls = SSL_CTX_new(TLS_client_method());
        if (SSL_CTX_load_verify_locations(proxy.tls, trusted, 0) != 1) fail("%s cannot be used", trusted);
        SSL_CTX_set_verify(proxy.tls, SSL_VERIFY_PEER, 0);
        SSL_CTX_set_alpn_protos(proxy.tls, (const unsigned char *)"\x08http/1.1", 9);
        SSL_CTX_set_mode(proxy.tls, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    }
    if (!proxy.authority && asprintf((char **)&proxy.authority, "%s:443", proxy.host) < 0) fail("no memory");
    composeRequest(arguments[optind], form);
    Connection *connections = calloc((size_t)count, sizeof *connections);
    if (idles) {
        measureIdle(connections, count, pid, seconds);
    } else if (opens) {
        startOpening(connections, count);
        measure(waitUntil, pid, warmUp, seconds);
        fflush(stdout);
        _exit(0);  // without taking away what the other threads still use
    } else {
        startServing(connections, count);
        measure(serveUntil, pid, warmUp, seconds);
    }
    return 0;
}
