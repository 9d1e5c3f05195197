"""A real WebSocket server (aiohttp's) that lets in only those whose handshake is rightly signed."""

import asyncio
import hashlib
import queue
import ssl
import threading

from aiohttp import WSMsgType, web

from .verification import Received, Refused, verify
from .waiting import LIMIT

MB = 1 << 20


class WebSocketServer:
    """`/echo` sends back what comes; `/flood/N` sends N MiB, and puts what it hears meanwhile into `heard`; `/sink`
    says what is put into `says`, and reads nothing before that is None; then it reads on, and tells a digest.

    `verdicts` has what each handshake was judged to be, `closed` the code that each connection was closed with.
    """

    def __init__(self, provider, chain=None):
        self.provider, self.verdicts, self.targets, self.closed = provider, [], [], []
        self.sent, self.heard, self.says = 0, queue.Queue(), queue.Queue()
        self.loop = asyncio.new_event_loop()
        self.context = None
        if chain is not None:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(chain.file)
            self.context.set_alpn_protocols(["http/1.1"])
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.port = asyncio.run_coroutine_threadsafe(self.start(), self.loop).result(LIMIT)

    @property
    def address(self):
        return f"127.0.0.1:{self.port}"

    async def start(self):
        application = web.Application()
        application.router.add_route("*", "/{rest:.*}", self.handle)
        self.runner = web.AppRunner(application, shutdown_timeout=1)
        await self.runner.setup()
        site = web.TCPSite(self.runner, "127.0.0.1", 0, ssl_context=self.context)
        await site.start()
        return site._server.sockets[0].getsockname()[1]

    def stop(self):
        asyncio.run_coroutine_threadsafe(self.runner.cleanup(), self.loop).result(LIMIT)
        self.loop.call_soon_threadsafe(self.loop.stop)

    def judge(self, request):
        fields = request.headers
        received = Received(
            request.method.encode(),
            b"https" if self.context else b"http",
            fields["Host"].encode(),
            request.raw_path.encode(),
            fields["Authorization"].encode() if "Authorization" in fields else None,
            None,
            None,
        )
        return verify(received, self.provider)

    async def handle(self, request):
        assert not {"proxy-authorization", "proxy-connection", "paraph-account"} & {n.lower() for n in request.headers}
        try:
            self.verdicts.append(self.judge(request))
        except Refused as refusal:
            return web.Response(status=401, text=f"oauth_problem={refusal.problem}")
        self.targets.append(request.raw_path)
        if request.path == "/http":
            return web.Response(text="no WebSocket here")
        socket = web.WebSocketResponse(max_msg_size=0, protocols=("chat",))
        await socket.prepare(request)
        if request.path.startswith("/flood/"):
            await self.flood(socket, int(request.path.rpartition("/")[2]))
        elif request.path == "/sink":
            await self.sink(socket)
        else:
            await self.echo(socket)
        self.closed.append(socket.close_code)
        return socket

    @staticmethod
    async def echo(socket):
        async for message in socket:
            if message.type == WSMsgType.TEXT and message.data.startswith("close "):
                await socket.close(code=int(message.data.split()[1]), message=b"as you wish")
            elif message.type == WSMsgType.TEXT:
                await socket.send_str(message.data)
            else:
                await socket.send_bytes(message.data)

    async def flood(self, socket, count):
        hearing = asyncio.create_task(self.hear(socket))
        for number in range(count):
            await socket.send_bytes(block(number))
            self.sent += 1
        await socket.close()
        await hearing

    async def hear(self, socket):
        async for message in socket:
            self.heard.put(message.data)

    async def sink(self, socket):
        while (text := await asyncio.to_thread(self.says.get, timeout=LIMIT)) is not None:
            await socket.send_str(text)
        digest = hashlib.sha256()
        async for message in socket:
            if message.type == WSMsgType.TEXT:
                await socket.send_str(digest.hexdigest())
            else:
                digest.update(message.data)


def block(number):
    """1 MiB that is not another's."""
    return hashlib.sha256(b"%d" % number).digest() * (MB // 32)


def digest_of_blocks(count):
    digest = hashlib.sha256()
    for number in range(count):
        digest.update(block(number))
    return digest.hexdigest()
