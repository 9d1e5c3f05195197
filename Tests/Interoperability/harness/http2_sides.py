"""For tests in which either side of the proxy speaks HTTP/1.1 or HTTP/2."""

import threading
from contextlib import closing

from .http2_client import HTTP2Client
from .raw import request
from .waiting import LIMIT

OCTET_STREAM = [("Content-Type", "application/octet-stream")]
FORM = [("Content-Type", "application/x-www-form-urlencoded")]


class ByHTTP1:
    """The client's side by HTTP/1.1, with the calls of `HTTP2Client`."""

    def __init__(self, paraph, host):
        self.raw, self.host = paraph.raw(f"{host}:443"), host

    def exchange(self, method="GET", path="/", fields=(), body=None, chunked=False, trailers=()):
        if not chunked:
            return self.raw.exchange(request(method, path, self.host, fields, body), method)
        data = request(method, path, self.host, [*fields, ("Transfer-Encoding", "chunked")])
        data += b"%x\r\n%b\r\n0\r\n" % (len(body), body)
        data += b"".join(f"{n}: {v}\r\n".encode() for n, v in trailers) + b"\r\n"
        return self.raw.exchange(data, method)

    def close(self):
        self.raw.close()


class ByHTTP2(HTTP2Client):
    def exchange(self, method="GET", path="/", fields=(), body=None, chunked=False, trailers=()):
        if body is None:
            return self.answer(self.request(method, path, fields))
        length = [] if chunked else [("content-length", len(body))]
        one = self.request(method, path, [*fields, *length], body, ends=False)
        self.end(one, trailers)
        return self.answer(one)


def client_of(versions, proxies, host):
    """Through the proxy for the upstream's version, by the client's. To be used with `with`."""
    by, upstream = versions
    return closing((ByHTTP1 if by == 1 else ByHTTP2)(proxies[upstream], host))


class Held:
    """A handler that waits in the middle of its answer."""

    def __init__(self, provider, before=b"", length=None, after=None):
        self.reached, self.go, self.call = threading.Event(), threading.Event(), None
        self.before, self.length, self.after = before, length, after
        self.path = provider.route(self.handle)

    def handle(self, call):
        call.verify()
        self.call = call
        if self.before:
            call.begin(200, length=self.length)
            call.write(self.before)
        self.reached.set()
        assert self.go.wait(LIMIT)
        if self.after:
            self.after(call)
        else:
            call.answer()


def record_of(provider, answer):
    return provider.records[int(answer.value("x-record"))]
