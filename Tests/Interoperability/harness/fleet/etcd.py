"""Three servers of etcd, which can be cut off from each other."""

import asyncio
import base64
import json
import re
import shutil
import socket
from contextlib import ExitStack

from ..ports import held_port
from .program import Program
from .relay import Relay
from .wire import ask

PROGRAM = "etcd"
# The example of etcd's page on tuning: the second is five times the first.
HEARTBEAT, ELECTION = 100, 500
PROBE = json.dumps({"key": base64.b64encode(b"probe").decode()}).encode()
# In seconds. A server that takes longer for a read is not of use.
PROBE_LIMIT = 0.5


def available():
    return shutil.which(PROGRAM) is not None


class EtcdServer(Program):
    """One server. Its peers reach it through a relay, whose port is the one that it is known by."""

    def __init__(self, name, folder, history, ports, peers):
        super().__init__(name, folder, history)
        self.port, self.own_peer_port, self.known_peer_port = ports
        self.peers = peers

    def command(self):
        client, peer, known = (
            f"http://127.0.0.1:{port}" for port in (self.port, self.own_peer_port, self.known_peer_port)
        )
        return [
            *[PROGRAM, "--name", self.name, "--data-dir", str(self.folder / self.name), "--unsafe-no-fsync"],
            *["--listen-client-urls", client, "--advertise-client-urls", client],
            *["--listen-peer-urls", peer, "--initial-advertise-peer-urls", known],
            *["--initial-cluster", self.peers, "--initial-cluster-state", "new"],
            *["--heartbeat-interval", str(HEARTBEAT), "--election-timeout", str(ELECTION)],
        ]

    def start(self):
        super().start()
        self.tell("running")

    async def answers(self):
        """Whether a read gets through to the leader and back, for which most servers have to be there."""
        try:
            async with asyncio.timeout(PROBE_LIMIT):
                return (await ask(self.port, "POST", "/v3/kv/range", body=PROBE)).status == 200
        except (OSError, TimeoutError):
            return False


class EtcdCluster:
    def __init__(self, folder, history, size=3):
        self.folder, self.history, self.size = folder, history, size
        self.held = ExitStack()
        self.servers, self.relays = [], []

    async def start(self):
        names = [f"etcd{number}" for number in range(self.size)]
        listening = []
        for _ in names:
            one = socket.socket()
            one.bind(("127.0.0.1", 0))
            listening.append(one)
        known = [one.getsockname()[1] for one in listening]
        peers = ",".join(f"{name}=http://127.0.0.1:{port}" for name, port in zip(names, known))
        for number, name in enumerate(names):
            ports = [self.held.enter_context(held_port()) for _ in range(2)]
            server = EtcdServer(name, self.folder, self.history, (*ports, known[number]), peers)
            self.servers.append(server)
            relay = Relay(server.own_peer_port, lambda first: self.sender(known, first))
            self.relays.append(await relay.start(listening[number]))
            server.start()
        async with asyncio.timeout(60):
            while not all([await server.answers() for server in self.servers]):
                assert all(server.runs for server in self.servers), self.servers[0].tail()
                await asyncio.sleep(0.05)

    @staticmethod
    def sender(known, first):
        """The number of the server that a connection comes from, by the header field that its first request has."""
        found = re.search(rb"(?i)^x-peerurls: *http://127\.0\.0\.1:(\d+)", first, re.M)
        return known.index(int(found.group(1))) if found else None

    def isolate(self, number):
        """Cuts a server off from its peers. Clients reach it as before."""
        self.relays[number].cut()
        for other, relay in enumerate(self.relays):
            if other != number:
                relay.cut(number)

    def rejoin(self, number):
        self.relays[number].join()
        for other, relay in enumerate(self.relays):
            if other != number:
                relay.join(number)

    def end(self):
        for server in self.servers:
            server.kill()
        for relay in self.relays:
            relay.close()
        self.held.close()
