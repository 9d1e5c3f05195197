"""A way between two programs that can be cut like a cable, and joined again."""

import asyncio


class Relay:
    """Listens on a port of its own and passes on what comes, both ways, to a port of loopback.

    What is on its way when the relay is cut arrives after it is joined, as TCP sends it again.
    """

    def __init__(self, target, source_of=None):
        """`source_of` says from the first bytes of a connection whose it is, for relays that many go through."""
        self.target, self.source_of = target, source_of
        self.cuts, self.joined = set(), asyncio.Event()
        self.tasks = set()

    async def start(self, listening=None):
        """`listening` is a socket that is bound already."""
        where = {"sock": listening} if listening else {"host": "127.0.0.1", "port": 0}
        self.server = await asyncio.start_server(self.accept, **where)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    def cut(self, source=None):
        """Keeps back what `source` sends, and what is sent to it; by default all."""
        self.cuts.add(source)

    def join(self, source=None):
        self.cuts.discard(source)
        self.joined.set()
        self.joined = asyncio.Event()

    @property
    def is_cut(self):
        return bool(self.cuts)

    async def passage(self, source):
        while None in self.cuts or source in self.cuts:
            await self.joined.wait()

    async def accept(self, reader, writer):
        self.tasks.add(asyncio.current_task())
        onward = None
        try:
            first = await reader.read(1 << 16)
            source = self.source_of(first) if self.source_of else None
            await self.passage(source)
            behind, onward = await asyncio.open_connection("127.0.0.1", self.target)
            onward.write(first)
            await asyncio.gather(self.pass_on(reader, onward, source), self.pass_on(behind, writer, source))
        except (OSError, asyncio.CancelledError):
            # The server's streams complain of handlers that are cancelled.
            pass
        finally:
            for one in (writer, onward):
                if one:
                    one.transport.abort()
            self.tasks.discard(asyncio.current_task())

    async def pass_on(self, reader, writer, source):
        while piece := await reader.read(1 << 16):
            await self.passage(source)
            writer.write(piece)
            await writer.drain()
        await self.passage(source)
        writer.write_eof()

    def close(self):
        self.server.close()
        for task in self.tasks:
            task.cancel()
