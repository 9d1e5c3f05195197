// Keep-alive GETs over TLS on many connections at once, and the CPU time that a process spends meanwhile. See run.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

static const char USAGE[] =
    "usage: loadgen -t PORT -n HOST -a FILE [-x] [-c N] [-w SECONDS] [-s SECONDS] [-p PID] [-r N] TARGET\n"
    "       loadgen -f N\n"
    "  -t  port of the proxy, on 127.0.0.1\n"
    "  -n  host that is asked for: its name in Host and in TLS\n"
    "  -a  certificates that are trusted (PEM)\n"
    "  -x  send CONNECT HOST:443 first\n"
    "  -c  connections (64)      -w  time before the measurement (1)      -s  time of the measurement (3)\n"
    "  -p  process whose CPU time is measured\n"
    "  -r  name an account in each request, one of N at random: 100000 and up\n"
    "  -f  print N ports that are free, and nothing else\n"
    "Prints: requests answered, seconds, and seconds of CPU time of the process (user and system).\n"
    "Every answer has to be 200 with a Content-Length; anything else ends the program with status 1.\n";

enum { HEAD_LIMIT = 8192, BLOCK = 16384, FIRST_ACCOUNT = 100000, ACCOUNT_LIMIT = 900000 };

typedef struct {
    SSL *tls;
    int fd;
    size_t headLength;          // octets of the head so far
    long bodyLeft;              // -1 while the head is read
    char head[HEAD_LIMIT + 1];  // ends with a zero octet
} Connection;

static char request[4096];
static int requestLength;
static char *accountDigits;  // in the request, where it names an account
static int accountCount;
static long answered;

static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("loadgen: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    ERR_print_errors_fp(stderr);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static struct sockaddr_in loopback(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

// The sockets stay open until the process ends, so that no port is printed twice.
static void printFreePorts(int count) {
    while (count-- > 0) {
        struct sockaddr_in address = loopback(0);
        socklen_t length = sizeof address;
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        if (bind(fd, (struct sockaddr *)&address, length) || getsockname(fd, (struct sockaddr *)&address, &length))
            fail("no free port: %s", strerror(errno));
        printf("%d\n", ntohs(address.sin_port));
    }
}

// User and system time of all threads of a process, in seconds (proc(5): fields 14 and 15 of stat).
static double cpuTime(int pid) {
    if (!pid) return 0;
    char path[64], line[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, sizeof line, file)) fail("process %d has ended", pid);
    fclose(file);
    unsigned long user, system;
    char *fields = strrchr(line, ')');  // the name of the program before it may contain anything
    if (!fields || sscanf(fields + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2)
        fail("%s cannot be read", path);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static void connectThroughProxy(int fd, const char *host) {
    char text[1024];
    int length = snprintf(text, sizeof text, "CONNECT %s:443 HTTP/1.1\r\nHost: %s:443\r\n\r\n", host, host);
    if (write(fd, text, (size_t)length) != length) fail("CONNECT cannot be sent");
    // Octet by octet: what follows the empty line belongs to TLS.
    for (length = 0; length < 4 || memcmp(text + length - 4, "\r\n\r\n", 4); length++)
        if (length == sizeof text - 1 || read(fd, text + length, 1) != 1) fail("no answer to CONNECT");
    text[length] = 0;
    if (strncmp(text, "HTTP/1.1 200", 12)) fail("CONNECT was refused: %.60s", text);
}

// Blocking until the handshake is over: only the requests are measured.
static void openConnection(Connection *connection, SSL_CTX *context, int port, const char *host, int isForward) {
    struct sockaddr_in address = loopback(port);
    int on = 1;
    connection->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(connection->fd, (struct sockaddr *)&address, sizeof address))
        fail("port %d: %s", port, strerror(errno));
    setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (isForward) connectThroughProxy(connection->fd, host);
    connection->tls = SSL_new(context);
    SSL_set_fd(connection->tls, connection->fd);
    SSL_set_tlsext_host_name(connection->tls, host);
    SSL_set1_host(connection->tls, host);
    if (SSL_connect(connection->tls) != 1) fail("the TLS handshake failed");
    fcntl(connection->fd, F_SETFL, O_NONBLOCK);
}

static void sendRequest(Connection *connection) {
    connection->headLength = 0;
    connection->bodyLeft = -1;
    if (accountCount) {
        char digits[16];
        snprintf(digits, sizeof digits, "%d", FIRST_ACCOUNT + (int)(random() % accountCount));
        memcpy(accountDigits, digits, strlen(digits));
    }
    // One small request on an idle connection always fits into the socket's buffer.
    if (SSL_write(connection->tls, request, requestLength) != requestLength) fail("a request cannot be sent");
}

// Returns how many of the octets belonged to the head.
static size_t takeHead(Connection *connection, const char *octets, size_t count) {
    size_t before = connection->headLength, room = HEAD_LIMIT - before;
    if (count > room) count = room;
    memcpy(connection->head + before, octets, count);
    connection->head[before + count] = 0;
    char *end = strstr(connection->head, "\r\n\r\n");
    if (!end) {
        if (count == room) fail("the head of an answer is too long");
        connection->headLength += count;
        return count;
    }
    end[2] = 0;
    const char *length = strcasestr(connection->head, "\r\ncontent-length:");
    if (strncmp(connection->head, "HTTP/1.1 200", 12) || !length) fail("unexpected answer: %s", connection->head);
    connection->bodyLeft = atol(length + strlen("\r\ncontent-length:"));
    return (size_t)(end + 4 - connection->head) - before;
}

static void take(Connection *connection, const char *octets, size_t count) {
    if (connection->bodyLeft < 0) {
        size_t taken = takeHead(connection, octets, count);
        octets += taken;
        count -= taken;
        if (connection->bodyLeft < 0) return;
    }
    if ((long)count > connection->bodyLeft) fail("more octets than an answer has");
    connection->bodyLeft -= (long)count;
    if (connection->bodyLeft > 0) return;
    answered++;
    sendRequest(connection);
}

static void readAll(Connection *connection) {
    static char block[BLOCK];
    int count;
    while ((count = SSL_read(connection->tls, block, sizeof block)) > 0) take(connection, block, (size_t)count);
    if (SSL_get_error(connection->tls, count) != SSL_ERROR_WANT_READ) fail("a connection was closed");
}

static void serveUntil(int epoll, double end) {
    struct epoll_event events[256];
    while (now() < end) {
        int count = epoll_wait(epoll, events, 256, 10);
        for (int index = 0; index < count; index++) readAll(events[index].data.ptr);
    }
}

static void measure(Connection *connections, int count, int pid, double warmUp, double seconds) {
    int epoll = epoll_create1(0);
    for (int index = 0; index < count; index++) {
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &connections[index]};
        epoll_ctl(epoll, EPOLL_CTL_ADD, connections[index].fd, &event);
        sendRequest(&connections[index]);
    }
    serveUntil(epoll, now() + warmUp);
    long before = answered;
    double cpu = cpuTime(pid), start = now();
    serveUntil(epoll, start + seconds);
    double end = now();
    printf("%ld %.3f %.2f\n", answered - before, end - start, cpuTime(pid) - cpu);
}

int main(int argumentCount, char **arguments) {
    const char *host = 0, *trusted = 0;
    int port = 0, isForward = 0, count = 64, pid = 0, option;
    double warmUp = 1, seconds = 3;
    while ((option = getopt(argumentCount, arguments, "t:n:a:xc:w:s:p:r:f:")) != -1) switch (option) {
        case 't': port = atoi(optarg); break;
        case 'n': host = optarg; break;
        case 'a': trusted = optarg; break;
        case 'x': isForward = 1; break;
        case 'c': count = atoi(optarg); break;
        case 'w': warmUp = atof(optarg); break;
        case 's': seconds = atof(optarg); break;
        case 'p': pid = atoi(optarg); break;
        case 'r': accountCount = atoi(optarg); break;
        case 'f': printFreePorts(atoi(optarg)); return 0;
        default: fputs(USAGE, stderr); return 2;
    }
    int isWrong = !port || !host || !trusted || count < 1 || accountCount < 0 || accountCount > ACCOUNT_LIMIT;
    if (isWrong || optind != argumentCount - 1) {
        fputs(USAGE, stderr);
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    requestLength = snprintf(
        request, sizeof request,
        "GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: loadgen/1.0\r\nAccept: application/json\r\n"
        "Accept-Language: en-US,en;q=0.9\r\nAccept-Encoding: gzip, deflate\r\nCache-Control: no-cache\r\n"
        "Referer: https://www.example.com/home?lang=en\r\nCookie: guest=v1%%3A170000000000000000; lang=en\r\n"
        "X-Client-Version: 10.32.0\r\nX-Request-Source: timeline\r\n%s\r\n",
        arguments[optind], host, accountCount ? "Paraph-Account: 100000\r\n" : ""
    );
    if (requestLength >= (int)sizeof request) fail("the request-target is too long");
    if (accountCount) accountDigits = strstr(request, "Paraph-Account: ") + strlen("Paraph-Account: ");

    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (SSL_CTX_load_verify_locations(context, trusted, 0) != 1) fail("%s cannot be used", trusted);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, 0);
    SSL_CTX_set_alpn_protos(context, (const unsigned char *)"\x08http/1.1", 9);

    Connection *connections = calloc((size_t)count, sizeof *connections);
    for (int index = 0; index < count; index++) openConnection(&connections[index], context, port, host, isForward);
    measure(connections, count, pid, warmUp, seconds);
    return 0;
}
