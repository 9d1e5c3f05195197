"""HTTP/1.1 on asyncio's streams, as far as the fleet's provider, clients and probes need it."""

import asyncio
import json
from dataclasses import dataclass


@dataclass
class Message:
    start: list
    fields: dict
    body: bytes = b""

    @property
    def status(self):
        return int(self.start[1])

    @property
    def json(self):
        """The body's; empty where it has none."""
        try:
            found = json.loads(self.body)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}


async def receive(reader):
    """The next message; None at the end of the connection."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError as error:
        if error.partial:
            raise ConnectionResetError("closed within a head") from None
        return None
    first, *lines = head.split("\r\n")[:-2]
    fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    message = Message(first.split(" ", 2), fields)
    try:
        if fields.get("transfer-encoding", "").lower() == "chunked":
            while size := int(await reader.readuntil(b"\r\n"), 16):
                message.body += (await reader.readexactly(size + 2))[:-2]
            await reader.readuntil(b"\r\n")
        else:
            message.body = await reader.readexactly(int(fields.get("content-length", 0)))
    except asyncio.IncompleteReadError:
        raise ConnectionResetError("closed within a body") from None
    return message


def written(start, fields, body=b""):
    lines = [start, *(f"{name}: {value}" for name, value in fields), f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


async def ask(port, method, target, fields=(), body=b"", host="127.0.0.1"):
    """One request on a connection of its own; OSError when there is no answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(written(f"{method} {target} HTTP/1.1", [("Host", host), ("Connection", "close"), *fields], body))
        answer = await receive(reader)
        if answer is None:
            raise ConnectionResetError("closed without an answer")
        return answer
    finally:
        writer.close()
