"""Large bodies that nobody has to keep in memory: a stream of bytes that depends on its length alone."""

import functools
import hashlib

BLOCK = b"".join(hashlib.sha256(b"%d" % n).digest() for n in range(8192))  # 256 KiB


def stream(size):
    while size > 0:
        yield BLOCK if size >= len(BLOCK) else BLOCK[:size]
        size -= len(BLOCK)


@functools.cache
def digest_of(size):
    digest = hashlib.sha256()
    for piece in stream(size):
        digest.update(piece)
    return digest.hexdigest()


def download_handler(size, chunked=False):
    """Answers with `size` bytes."""

    def handler(call):
        call.verify()
        framing = b"Transfer-Encoding: chunked" if chunked else b"Content-Length: %d" % size
        verified = b"yes" if call.record.verdict else b"no"
        call.send(
            b"HTTP/1.1 200 OK\r\nX-Verified: "
            + verified
            + b"\r\nContent-Type: application/octet-stream\r\n"
            + framing
            + b"\r\n\r\n"
        )
        for piece in stream(size):
            call.send(b"%x\r\n%b\r\n" % (len(piece), piece) if chunked else piece)
        if chunked:
            call.send(b"0\r\n\r\n")

    return handler
