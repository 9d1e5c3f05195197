"""The API and the token server of the soak: answers whatever it is asked, and breaks off when the request says so."""

import asyncio
import hashlib
import json
import re
import secrets
import time

PIECE = bytes(range(256)) * 256
MINIMUM_LIFE = 61  # seconds of a token


class Upstream:
    def __init__(self):
        self.requests = self.refused = self.resets = self.tokens = 0
        self.unsigned = 0
        self.valid_tokens, self.granted = set(), 0.0

    async def serve(self, reader, writer):
        try:
            while await self.answer(reader, writer):
                pass
        except (asyncio.CancelledError, asyncio.IncompleteReadError, ConnectionError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.close()

    async def answer(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        method, target, _ = head.split("\r\n", 1)[0].split(" ")
        fields = {name.lower(): value for name, value in re.findall(r"\r\n([^:\r\n]+):[ \t]*([^\r\n]*)", head)}
        if fields.get("expect"):
            writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        if fields.get("x-break") == "early":
            return self.abort(writer)
        digest, length = await self.body(reader, fields)
        self.requests += 1
        if target.startswith("/token"):
            return await self.send(writer, method, 200, self.token())
        if not self.is_authorized(fields.get("authorization", "")):
            refusal = b'{"errors":[{"code":89,"message":"Invalid or expired token."}]}'
            return await self.send(writer, method, 401, refusal)
        if fields.get("x-break") == "head":
            return self.abort(writer)
        size = int(re.search(r"[?&]size=(\d+)", target).group(1)) if "size=" in target else 0
        extra = f"X-Digest: {digest}\r\nX-Length: {length}\r\n"
        if fields.get("x-break") == "body":
            writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: {size + 1}\r\n{extra}\r\n".encode() + PIECE[:size])
            await writer.drain()
            return self.abort(writer)
        return await self.send(writer, method, 200, None, size=size, extra=extra, chunked="chunked" in target)

    async def body(self, reader, fields):
        digest, length = hashlib.sha256(), 0
        if "chunked" in fields.get("transfer-encoding", ""):
            while True:
                size = int((await reader.readuntil(b"\r\n")).split(b";")[0], 16)
                if size == 0:
                    await reader.readuntil(b"\r\n")
                    return digest.hexdigest(), length
                digest.update(await reader.readexactly(size))
                length += size
                await reader.readexactly(2)
        left = int(fields.get("content-length", 0))
        while left:
            data = await reader.read(min(left, 65536))
            if not data:
                raise asyncio.IncompleteReadError(b"", left)
            digest.update(data)
            left -= len(data)
            length += len(data)
        return digest.hexdigest(), length

    def token(self):
        self.tokens += 1
        token = secrets.token_hex(16)
        self.valid_tokens, self.granted = {token}, time.monotonic()
        answer = {"access_token": token, "token_type": "bearer", "expires_in": 3600, "refresh_token": token[::-1]}
        return json.dumps(answer).encode()

    def revoke_token(self):
        """A token that is refused soon after it was granted would not be replaced before a pause."""
        if time.monotonic() - self.granted > MINIMUM_LIFE:
            self.valid_tokens = set()

    def is_authorized(self, field):
        if field.startswith("OAuth ") and "oauth_signature=" in field:
            return True
        if field.startswith("Bearer ") and field[7:] in self.valid_tokens:
            return True
        self.refused += 1
        self.unsigned += not field
        return False

    def abort(self, writer):
        self.resets += 1
        writer.transport.abort()
        return False

    async def send(self, writer, method, status, body, *, size=0, extra="", chunked=False):
        if body is not None:
            size = len(body)
        framing = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {size}"
        writer.write(f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\n{framing}\r\n{extra}\r\n".encode())
        if method != "HEAD":
            for start in range(0, size, len(PIECE)):
                data = body if body is not None else PIECE[: min(len(PIECE), size - start)]
                writer.write(b"%x\r\n%b\r\n" % (len(data), data) if chunked else data)
                await writer.drain()
            if chunked:
                writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True
