"""One attack on one proxy: what the honest client saw, and what the proxy used."""

import dataclasses
import multiprocessing
import os
import re
import socket
import statistics
import threading
import time
from collections.abc import Callable
from pathlib import Path

import honest
from attacks import Attack
from held import Answers
from laboratory import H2_HOST, HOST
from proxies import PASSWORDS, RESOLVER, Attacked
from works import cpu_time

DURATION = float(os.environ.get("DURATION", 10))  # seconds of each attack
STANDING = 2  # seconds without the honest client, in which the attack goes on
RECOVERY = 10  # seconds in which the proxy may return to what it was
POOLED = 70  # descriptors that idle upstream connections may keep, and a few

processes = multiprocessing.get_context("fork")


@dataclasses.dataclass
class Outcome:
    """Memory in MiB above that before, CPU time in s, times in ms.

    `idle_cpu` is in percent of one core; `recovered`: the seconds until the descriptors were back, nil where they were
    not; `seconds`: the length of the attack; `ending`: the seconds until it ended after SIGTERM.
    """

    seen: honest.Seen
    health: honest.Seen | None
    answers: Answers
    seconds: float
    peak_memory: float
    left_memory: float
    peak_descriptors: int
    cpu: float
    idle_cpu: float
    recovered: float | None
    has_ended: bool
    ending: float = 0


class Usage:
    """Watches a process from a thread of its own."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.peak_memory, self.peak_descriptors = 0.0, 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def memory(self) -> float:
        """Anonymous resident memory in MiB."""
        found = re.search(r"RssAnon:\s+(\d+)", Path(f"/proc/{self.pid}/status").read_text())
        return int(found[1]) / 1024 if found else 0

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def _watch(self) -> None:
        while not self._stop.wait(0.05):
            try:
                self.peak_memory = max(self.peak_memory, self.memory())
                self.peak_descriptors = max(self.peak_descriptors, self.descriptors())
            except OSError:
                return

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()


class Program:
    """A function in a process of its own, beside the upstream; it is told to stop, by its second argument, and what it
    returns is collected."""

    def __init__(self, function: Callable, first, niceness: int = 0, **more) -> None:
        self.stop = processes.Event()
        self._receiver, sender = processes.Pipe(False)

        def run() -> None:
            if (os.cpu_count() or 1) >= 2:
                os.sched_setaffinity(0, {0})
            os.nice(niceness)
            sender.send(function(first, self.stop, **more))

        self._process = processes.Process(target=run, daemon=True)
        self._process.start()
        sender.close()

    def result(self, timeout: float = 30):
        """Nil when it does not end in time."""
        self.stop.set()
        try:
            return self._receiver.recv() if self._receiver.poll(timeout) else None
        except EOFError:
            return None
        finally:
            self._process.join(1)
            if self._process.is_alive():
                self._process.kill()
                self._process.join()


def silent_resolver() -> socket.socket:
    """Takes questions and answers none."""
    resolver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    resolver.bind((RESOLVER, 53))
    return resolver


def measure(attack: Attack, peer: Attacked) -> Outcome:
    peer.setting = attack.setting
    resolver = silent_resolver() if attack.setting.is_resolver_silent else None
    peer.restart()
    try:
        outcome = _measure_running(attack, peer)
        begin = time.monotonic()
        peer.stop()
        outcome.ending = time.monotonic() - begin
        return outcome
    finally:
        peer.stop()
        if resolver:
            resolver.close()


def _measure_running(attack: Attack, peer: Attacked) -> Outcome:
    name = "honest"
    friend = peer.target(H2_HOST, f"{name}:{PASSWORDS[name]}")
    enemy = peer.target(HOST, f"attacker:{PASSWORDS['attacker']}")
    enemy = dataclasses.replace(enemy, source=attack.source)
    warming = Program(honest.ask, friend, path=attack.path, form=attack.form)
    time.sleep(1)
    warming.result()
    usage = Usage(peer.process.pid)
    memory, descriptors, cpu = usage.memory(), usage.descriptors(), cpu_time(usage.pid)
    attacking = Program(attack.run, enemy, niceness=15)
    time.sleep(attack.head_start)
    asking = Program(attack.ask, friend)
    health = Program(honest.ask_health, peer.admin_port) if peer.name == "paraph" else None
    time.sleep(max(DURATION, attack.least))
    seen, healthy = asking.result(), health and health.result()
    has_ended = peer.process.poll() is not None
    used = 0 if has_ended else cpu_time(usage.pid)
    time.sleep(STANDING)
    has_ended = has_ended or peer.process.poll() is not None
    idle = 0 if has_ended else (cpu_time(usage.pid) - used) / STANDING
    answers = attacking.result()
    if answers is None:
        answers = Answers({"the attack itself hung": 1})
    end, recovered, left = time.monotonic(), None, 0.0
    while not has_ended and time.monotonic() < end + RECOVERY:
        if recovered is None and usage.descriptors() <= descriptors + POOLED:
            recovered = time.monotonic() - end
        if recovered is not None and time.monotonic() > end + RECOVERY / 3:
            break
        time.sleep(0.05)
        has_ended = peer.process.poll() is not None
    if not has_ended:
        left = usage.memory() - memory
    usage.stop()
    return Outcome(
        seen=seen or honest.Seen(failures={"hung": 1}), health=healthy, answers=answers,
        seconds=max(DURATION, attack.least) + attack.head_start + STANDING,
        peak_memory=usage.peak_memory - memory, left_memory=left, peak_descriptors=usage.peak_descriptors,
        cpu=max(0, used - cpu), idle_cpu=100 * idle, recovered=recovered, has_ended=has_ended,
    )  # fmt: skip


def share(seen: honest.Seen) -> float:
    """Percent of requests that were answered with 200."""
    asked = len(seen.times) + sum(seen.failures.values())
    return 100 * len(seen.times) / asked if asked else 0


def percentile(seen: honest.Seen, part: float) -> float:
    if len(seen.times) < 2:
        return seen.times[0] if seen.times else float("nan")
    return statistics.quantiles(seen.times, n=100, method="inclusive")[round(part * 100) - 1]
