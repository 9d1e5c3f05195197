"""A store, replicas and a provider, put together, driven and disturbed by chance until enough has happened."""

import asyncio
import base64
import random
import re
import secrets
import time

from .checker import FRESH
from .circumstances import SETTLING
from .driver import API, Driver
from .etcd import EtcdCluster
from .faults import Faults, Watch
from .provider import CLIENT, HOST, CountingProvider
from .replica import Replica

# Seconds by which the wall clocks of the replicas are wrong.
CLOCKS = (0, 30, -30, 2)


class Fleet:
    """`exchanges` and `seconds` say how much has to have happened; `accounts` are in the configuration."""

    def __init__(self, binary, folder, history, seed, accounts=60, newcomers=12, clients=8, clocks=CLOCKS, pause=0.05):
        self.folder, self.history, self.seed = folder, history, seed
        self.cluster = EtcdCluster(folder, history)
        self.provider = CountingProvider(history, self.draw("provider"))
        self.accounts = [f"member-{number}" for number in range(accounts)]
        self.newcomers = [f"newcomer-{number}" for number in range(newcomers)]
        self.replicas = [
            Replica(f"replica{number}", folder, history, binary, clock) for number, clock in enumerate(clocks)
        ]
        self.clients = clients
        self.driver = Driver(history, self.draw("clients"), self.replicas, self.provider, self.accounts, pause)
        self.faults = Faults(history, self.draw("faults"), self.cluster, self.replicas)
        self.watch = Watch(history, self.cluster, self.replicas)

    def draw(self, purpose):
        """Chance of its own for each purpose: what one draws does not change the others."""
        return random.Random(f"{self.seed} {purpose}")

    def shared(self):
        """What the configurations of all replicas have alike."""
        key = self.folder / "vault.key"
        key.write_text(base64.b64encode(secrets.token_bytes(32)).decode())
        key.chmod(0o600)
        accounts = {
            name: {"password": {"username": name, "password": self.provider.new_account(name)}}
            for name in self.accounts
        }
        api = {
            "hosts": [HOST],
            "upstream": "http",
            "oauth2": {"token_url": f"http://{HOST}/token", **CLIENT},
            "accounts": accounts,
        }
        return {
            "vault": {"etcd": {"prefix": "fleet/"}, "key": {"file": str(key)}},
            "apis": {API: api},
            "enrolment": {"access_types": {"0": {"api": API}}},
        }

    async def run(self, exchanges, seconds):
        try:
            await self.start()
            await self.work(exchanges, seconds)
        finally:
            self.end()

    async def start(self):
        Replica.build_clock(self.folder)
        await self.cluster.start()
        shared = self.shared()
        for replica in self.replicas:
            await replica.configure(self.cluster, await self.provider.listen(replica.name), shared)
        await asyncio.gather(*(replica.launch() for replica in self.replicas))

    async def work(self, exchanges, seconds):
        watching = asyncio.create_task(self.watch.run())
        groups = [self.newcomers[first::3] for first in range(3)]
        work = [self.driver.client() for _ in range(self.clients)]
        work += [self.driver.enroller(names) for names in groups if names]
        tasks = [asyncio.create_task(one) for one in work]
        breaking = asyncio.create_task(self.faults.run())
        until = time.monotonic() + seconds
        try:
            while self.provider.begun < exchanges or time.monotonic() < until:
                await asyncio.sleep(0.1)
                self.faults.check_lives()
                for one in (*tasks, breaking, watching):
                    if one.done():
                        one.result()
            self.faults.over.set()
            await breaking
            self.driver.over = True
            await asyncio.gather(*tasks)
            await self.settle()
        finally:
            for one in (*tasks, breaking, watching):
                one.cancel()

    async def settle(self):
        """All is well again: now everybody has to be served, and to say the same."""
        self.provider.is_calm = True
        async with asyncio.timeout(60):
            while not self.watch.is_well or not all([await one.is_ready() for one in self.replicas]):
                await asyncio.sleep(0.1)
        await asyncio.sleep(SETTLING + FRESH)
        self.history.add("settled")
        await self.driver.ask_everywhere()
        await self.driver.list_accounts()
        self.history.add("over")

    def leaks(self):
        """The lines of the replicas' logs that hold a secret."""
        secret = re.compile(rf"\b(?:at|rt|pw)-[\w-]{{16}}|{CLIENT['client_secret']}")
        for replica in self.replicas:
            with open(self.folder / f"{replica.name}.log", errors="replace") as log:
                yield from (f"{replica.name}: {line.rstrip()}" for line in log if secret.search(line))

    def end(self):
        for replica in self.replicas:
            replica.end()
        self.cluster.end()
        self.provider.close()
