"""What is done to the fleet by chance, one thing after the other and sometimes two at once, and undone again."""

import asyncio
from contextlib import contextmanager

from .etcd import ELECTION

# In seconds. Calm is at times longer than the store needs to settle (`SETTLING`), so that all rules hold; a stop is
# at times longer than a turn's lease is kept without its holder, and another one has had the turn. The store is at times
# away for longer than a replica asks all three servers, so that it finds so and does what it does then.
CALM, FAULT, LONG_STOP, ABSENCE = (1, 6), (0.5, 5), (16, 20), (0.5, 9)
# The moments in an exchange at which a replica is killed or stopped; none: whatever it does.
MOMENTS = (None, "exchange", "exchange ended")
LOOK = 0.1


class Faults:
    def __init__(self, history, draw, cluster, replicas):
        self.history, self.draw, self.cluster, self.replicas = history, draw, cluster, replicas
        self.busy = set()
        self.over = asyncio.Event()
        self.kinds = [
            *[self.kill_replica, self.stop_replica] * 3,
            *[self.replace_replica, self.cut_replica_off, self.cut_one_way],
            *[self.kill_server, self.stop_server, self.isolate_server, self.kill_most_servers],
        ]
        self.counts = {}

    async def run(self):
        """Until `over` is set; then nothing is left broken."""
        while not await self.pause(*CALM):
            count = 2 if self.draw.random() < 0.25 else 1
            await asyncio.gather(*(one() for one in self.draw.sample(self.kinds, count)))

    async def pause(self, *bounds):
        """Whether it is over."""
        try:
            await asyncio.wait_for(self.over.wait(), self.draw.uniform(*bounds))
            return True
        except asyncio.TimeoutError:
            return False

    @contextmanager
    def told(self, kind, *targets):
        names = [one.name for one in targets]
        self.counts[kind] = self.counts.get(kind, 0) + 1
        self.history.add("fault", kind=kind, targets=names)
        self.busy |= set(targets)
        try:
            yield
        finally:
            self.busy -= set(targets)
            self.history.add("fault over", kind=kind, targets=names)

    def check_lives(self):
        for one in (*self.replicas, *self.cluster.servers):
            assert one.runs or one in self.busy, f"{one.name} has ended by itself:\n{one.tail()}"

    def one_of(self, programs):
        """One that nothing is done to; there are more of them than faults at once."""
        return self.draw.choice([one for one in programs if one not in self.busy] or list(programs)[:1])

    # Replicas

    async def moment(self, replica):
        """Waits for the moment that is the worst."""
        if event := self.draw.choice(MOMENTS):
            try:
                await asyncio.wait_for(self.history.next(event=event, replica=replica.name), CALM[1])
            except asyncio.TimeoutError:
                pass

    async def kill_replica(self):
        one = self.one_of(self.replicas)
        with self.told("replica killed", one):
            await self.moment(one)
            one.kill()
            await self.pause(*FAULT)
            await one.launch()

    async def stop_replica(self):
        one = self.one_of(self.replicas)
        with self.told("replica stopped", one):
            await self.moment(one)
            one.stop()
            await self.pause(*(LONG_STOP if self.draw.random() < 0.3 else FAULT))
            one.resume()

    async def replace_replica(self):
        one = self.one_of(self.replicas)
        with self.told("replica replaced", one):
            await one.terminate()
            await one.launch()

    # Between replicas and the store

    async def cut_replica_off(self):
        one = self.one_of(self.replicas)
        with self.told("replica cut off from the store", one):
            for relay in one.relays:
                relay.cut()
            await self.pause(*ABSENCE)
            for relay in one.relays:
                relay.join()

    async def cut_one_way(self):
        one = self.one_of(self.replicas)
        with self.told("replica cut off from a server", one):
            relay = self.draw.choice(one.relays)
            relay.cut()
            await self.pause(*FAULT)
            relay.join()

    # The store

    async def kill_server(self):
        one = self.one_of(self.cluster.servers)
        with self.told("server killed", one):
            one.kill()
            await self.pause(*FAULT)
            one.start()

    async def stop_server(self):
        one = self.one_of(self.cluster.servers)
        with self.told("server stopped", one):
            one.stop()
            await self.pause(*FAULT)
            one.resume()

    async def isolate_server(self):
        one = self.one_of(self.cluster.servers)
        number = self.cluster.servers.index(one)
        with self.told("server cut off from its peers", one):
            self.cluster.isolate(number)
            await self.pause(*FAULT)
            self.cluster.rejoin(number)

    async def kill_most_servers(self):
        free = [one for one in self.cluster.servers if one not in self.busy][:2]
        with self.told("most servers killed", *free):
            for one in free:
                one.kill()
            await self.pause(*ABSENCE)
            for one in free:
                one.start()


class Watch:
    """Looks what each replica has of the store, and whether this process itself keeps up."""

    def __init__(self, history, cluster, replicas):
        self.history, self.cluster, self.replicas = history, cluster, replicas
        self.states = {}

    async def run(self):
        asyncio.create_task(self.look_at_the_clock())
        looked = asyncio.get_running_loop().time()
        while True:
            begun = asyncio.get_running_loop().time()
            answers = await asyncio.gather(*(one.answers() for one in self.cluster.servers))
            for replica in self.replicas:
                self.take(replica, answers, looked)
            looked = begun
            await asyncio.sleep(LOOK)

    def take(self, replica, answers, looked):
        ways = [there and not relay.is_cut for there, relay in zip(answers, replica.relays)]
        state = "well" if all(ways) else "disturbed" if any(ways) else "away"
        if state != self.states.get(replica):
            self.states[replica] = state
            # For all that is known it became so right after the look before.
            self.history.add("store", replica=replica.name, state=state, since=round(looked, 4))

    @property
    def is_well(self):
        return len(self.states) == len(self.replicas) and set(self.states.values()) == {"well"}

    async def look_at_the_clock(self):
        """While this process stands still, it neither answers nor passes on what it is in the middle of."""
        loop = asyncio.get_running_loop()
        while True:
            begun = loop.time()
            await asyncio.sleep(LOOK)
            late = loop.time() - begun - LOOK
            if late > ELECTION / 2000:
                self.history.add("standstill", since=round(begun, 4))
