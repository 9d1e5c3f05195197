"""What is measured of each proxy."""

import os
import shutil
import signal
import subprocess
import sys
import time

from laboratory import H2_HOST, command, on_core
from servers import DOWNLOAD_SIZE, TRANSFER_MIB

ROUNDS = int(os.environ.get("ROUNDS", 9))
SECONDS = float(os.environ.get("DURATION", 3))  # of each measurement, after one second of warming up
CONNECTIONS = int(os.environ.get("CONNECTIONS", 64))  # kept alive
IDLE_CONNECTIONS = int(os.environ.get("IDLE_CONNECTIONS", 1000))  # of W7

QUERY = "id=210000000000000000&include_entities=true&tweet_mode=extended&include_my_retweet=false"
TARGET = f"/1.1/statuses/show.json?{QUERY}&screen_name=caf%C3%A9%20bench"
TRANSFERS = 4


def form(laboratory):
    """A form of 1 KiB."""
    pairs = "status=Hello%2C%20caf%C3%A9%20%26%20friends%21%20100%25%20signed&lat=37.7821120598956&trim_user=1"
    number = 10
    while len(pairs) < 960:
        pairs += f"&field_{number}=value%20number%20{number}%2Bx"
        number += 1
    return laboratory.write("form", pairs + "&pad=" + "z" * (1024 - len(pairs) - 5))


# Of each load generator, while the others stand still.
TURN = 0.12


class Work:
    """A measurement of one proxy. Its values: CPU microseconds per request and what else is shown."""

    def __init__(self, name, title, unit, arguments, plainly=False, column=0, digits=1):
        self.name, self.title, self.unit, self.arguments = name, title, unit, arguments
        self.plainly, self.column, self.digits = plainly, column, digits

    @property
    def rounds(self):
        """Each measures every proxy once, in turn."""
        return ROUNDS

    def suits(self, peer):
        return peer.speaks_http1 and (peer.listens_plainly or not self.plainly)

    def measure(self, peer):
        """The figure that is compared, and the peak of memory in MiB."""
        arguments = ["-s", SECONDS, *self.arguments(peer.laboratory)]
        return self.figures(peer, peer.loadgen(*arguments, plainly=self.plainly))

    def measure_all(self, peers):
        """Each of them once, one after another."""
        return [self.measure(peer) for peer in peers]

    def figures(self, peer, output):
        """Of what the load generator printed."""
        requests, _, cpu, median, _, peak = map(float, output)
        if not requests:
            sys.exit(f"run: {peer.name} answered nothing; it may need a longer DURATION")
        values = [1e6 * cpu / requests, median]
        return values[self.column], peak / 1024


class WorkInTurns(Work):
    """The load generators of all proxies take short turns, so that a machine that is busy for a while disturbs all."""

    def measure_all(self, peers):
        quick = [peer for peer in peers if peer.is_quick]
        figures = dict(zip(quick, self.measure_in_turns(quick)))
        return [figures.get(peer) or self.measure(peer) for peer in peers]

    def measure_in_turns(self, peers):
        generators = []
        for peer in peers:
            arguments = ["-s", 3600, *self.arguments(peer.laboratory)]
            arguments = peer.loadgen_arguments(*arguments, plainly=self.plainly)
            generators.append(peer.laboratory.start_loadgen(*arguments))
            time.sleep(1.2)  # until it has warmed up
            generators[-1].send_signal(signal.SIGSTOP)
        for _ in range(round(SECONDS / TURN)):
            for generator in generators:
                generator.send_signal(signal.SIGCONT)
                time.sleep(TURN)
                generator.send_signal(signal.SIGSTOP)
        outputs = []
        for peer, generator in zip(peers, generators):
            generator.terminate()
            generator.send_signal(signal.SIGCONT)
            outputs.append(self.figures(peer, peer.laboratory.result(generator)))
        return outputs


class TransferWork(Work):
    """Of one size. A process that is new each time: its peak of memory is that of the transfer."""

    def measure(self, peer):
        peer.restart()
        output = peer.loadgen(*self.arguments(peer.laboratory))
        return 1e3 * float(output[2]) / TRANSFERS, float(output[5]) / 1024


class IdleWork(Work):
    @property
    def rounds(self):
        return min(ROUNDS, 3)  # memory does not depend on how busy the machine is

    def measure(self, peer):
        peer.restart()
        [each] = peer.loadgen("-i", "-c", IDLE_CONNECTIONS, "-s", 2, TARGET)
        return float(each), None


class H2Work(Work):
    """HTTP/2 on both sides. h2load knows no proxies, so that a relay sends CONNECT to those that want it."""

    def suits(self, peer):
        return peer.speaks_h2 and bool(shutil.which("h2load"))

    def measure(self, peer):
        laboratory, port, relay = peer.laboratory, peer.port, None
        if peer.is_forward:
            [port] = laboratory.free_ports(1)
            binary = laboratory.folder / "relay"
            relay = laboratory.start("relay", 0, [binary, port, peer.port, f"{H2_HOST}:443"], port)
        before = cpu_time(peer.process.pid)
        time = f"{1000 * SECONDS:.0f}ms"
        load = ["h2load", "-t", 1, "-c", 4, "-m", 64, "-D", time, "--connect-to", f"127.0.0.1:{port}"]
        output = command(*on_core(0, load), f"https://{H2_HOST}{TARGET}", stderr=subprocess.DEVNULL)
        used = cpu_time(peer.process.pid) - before
        if relay:
            laboratory.stop(relay)
        done = {}
        for line in output.splitlines():
            if line.startswith(("requests:", "status codes:")):
                parts = (part.split()[:2] for part in line.split(": ")[1].split(", "))
                done |= {name: int(value) for value, name in parts}
        if not done.get("succeeded") or any(done[name] for name in ("failed", "errored", "3xx", "4xx", "5xx")):
            sys.exit(f"run: {peer.name} did not answer everything with 200:\n{output}")
        return 1e6 * used / done["succeeded"], None


def cpu_time(pid):
    """Seconds that the threads of a process have run (proc_pid_stat(5))."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def works():
    steady = ["-c", CONNECTIONS]
    cpu, transfer = "CPU µs per request", f"CPU ms per {TRANSFER_MIB} MiB"
    return [
        WorkInTurns("W1", "GET, TLS on both sides, connections kept alive", cpu, lambda _: [*steady, TARGET]),
        WorkInTurns("W2", "the same, the client without TLS", cpu, lambda _: [*steady, TARGET], plainly=True),
        WorkInTurns(
            "W3", "POST of a form of 1 KiB", cpu,
            lambda laboratory: [*steady, "-b", form(laboratory), "/1.1/statuses/update.json?tweet_mode=extended"],
        ),
        TransferWork(
            "W4d", f"download of {TRANSFER_MIB} MiB", transfer,
            lambda _: ["-q", TRANSFERS, "-c", 1, "/download?id=1"],
        ),
        TransferWork(
            "W4u", f"upload of {TRANSFER_MIB} MiB", transfer,
            lambda _: ["-q", TRANSFERS, "-c", 1, "-u", DOWNLOAD_SIZE, "/upload?id=1"],
        ),
        WorkInTurns("W5", "a new connection for each GET, 16 at once", cpu, lambda _: ["-o", "-c", 16, TARGET]),
        Work("W6", "one connection", "median, µs", lambda _: ["-c", 1, TARGET], column=1),
        IdleWork("W7", f"{IDLE_CONNECTIONS} idle intercepted connections", "KiB each", None),
        H2Work("H2", "GET by HTTP/2 on both sides, 64 streams on each of 4 connections", cpu, None),
    ]
