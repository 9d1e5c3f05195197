"""One of the processes of Paraph that share their tokens."""

import asyncio
import json
import os
import signal
import subprocess
from contextlib import ExitStack
from pathlib import Path

from ..ports import held_port
from .program import Program
from .relay import Relay
from .wire import ask

CLOCK = Path(__file__).with_name("clock.c")


class Replica(Program):
    """`clock` is the number of seconds by which its wall clock is wrong; its monotonic clock is as everywhere."""

    def __init__(self, name, folder, history, binary, clock=0):
        super().__init__(name, folder, history)
        self.binary, self.clock = binary, clock
        self.held = ExitStack()
        self.port, self.admin_port = (self.held.enter_context(held_port()) for _ in range(2))
        self.relays = []

    @staticmethod
    def build_clock(folder):
        """Clocks that are wrong, for the replicas of a folder."""
        subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-o", folder / "clock.so", CLOCK], check=True)

    async def configure(self, cluster, provider_port, shared):
        """`shared` is what the configurations of all replicas have alike."""
        for server in cluster.servers:
            self.relays.append(await Relay(server.port).start())
        vault = shared["vault"]
        endpoints = [f"http://127.0.0.1:{relay.port}" for relay in self.relays]
        configuration = {
            **shared,
            "listen": {"proxy": f"127.0.0.1:{self.port}", "admin": f"127.0.0.1:{self.admin_port}"},
            "state": str(self.folder / self.name),
            "upstream_proxy": f"http://127.0.0.1:{provider_port}",
            "vault": {**vault, "etcd": {**vault["etcd"], "endpoints": endpoints}},
            "log": {"level": "info", "format": "json"},
        }
        # YAML has JSON in it.
        (self.folder / f"{self.name}.yaml").write_text(json.dumps(configuration, indent=1) + "\n")

    def command(self):
        return [self.binary, "run", "--config", str(self.folder / f"{self.name}.yaml")]

    def environment(self):
        usual = {n: v for n, v in os.environ.items() if "proxy" not in n.lower() and not n.startswith("PARAPH")}
        if not self.clock:
            return usual
        return {**usual, "LD_PRELOAD": str(self.folder / "clock.so"), "SECONDS_APART": str(self.clock)}

    async def launch(self):
        """Starts it, and returns when it is ready, or the fleet has waited long enough for that."""
        self.start()
        async with asyncio.timeout(60):
            while not await self.is_ready():
                assert self.runs, f"{self.name} has ended:\n{self.tail()}"
                await asyncio.sleep(0.05)
        self.tell("running")

    async def is_ready(self):
        try:
            async with asyncio.timeout(1):
                return (await ask(self.admin_port, "GET", "/readyz")).status == 200
        except (OSError, TimeoutError):
            return False

    async def terminate(self):
        """Has it end in its own time: it answers what it has begun."""
        self.tell("leaving")
        self.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(60):
            while self.runs:
                await asyncio.sleep(0.02)
        self.tell("killed")

    def end(self):
        self.kill()
        for relay in self.relays:
            relay.close()
        self.held.close()
