"""Everything that processes under test say, show and leave behind, and the search of it for secrets."""

import os
import stat
import subprocess
import threading
from pathlib import Path

from .canaries import Canaries
from .paraph import Paraph, listener_in
from .waiting import LIMIT, wait_until


def descendants(pid):
    """The process and all that came from it and still live."""
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        found.append(one)
        try:
            for task in Path(f"/proc/{one}/task").glob("*/children"):
                waiting += [int(child) for child in task.read_text().split()]
        except OSError:
            # It has just ended.
            pass
    return found


class Evidence:
    """What was gathered so far. `folder` holds all that the processes can write to."""

    def __init__(self, folder: Path, canaries: Canaries):
        self.folder, self.canaries = folder, canaries
        self.written, self.judged = set(), {}
        self.entries = []
        self.searched = 0
        self.processes = []
        self.seen_files = {}
        self.seen_arguments = set()
        self.lock, self.sampling = threading.Lock(), threading.Lock()
        self.ended = threading.Event()
        self.sampler = threading.Thread(target=self.sample_until_the_end, daemon=True)
        self.sampler.start()

    # Gathering

    def add(self, where, data):
        with self.lock:
            self.entries.append((where, data.encode() if isinstance(data, str) else bytes(data)))

    def write(self, path: Path, text):
        """A file of the test's own, which may hold secrets."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.may_hold_secrets(path)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        path.chmod(0o600)
        return path

    def may_hold_secrets(self, path):
        """Also under the names that it has while it is written: its own and more."""
        self.written.add(str(path.resolve()))
        self.judged = {}

    def is_written(self, path):
        judged = self.judged
        if path not in judged:
            judged[path] = str(Path(path).resolve()).startswith(tuple(self.written))
        return judged[path]

    def answer(self, where, answer, passed_on=None):
        """What a client was answered; `passed_on` is what the provider had said, the provider's own."""
        if answer is None:
            return
        fields, body = list(answer.fields), answer.body
        if passed_on is not None:
            theirs = list(passed_on.fields)
            for field in answer.fields:
                if field in theirs:
                    theirs.remove(field)
                    fields.remove(field)
            if passed_on.body == body:
                body = b""
        text = "\n".join(f"{n}: {v}" for n, v in fields + answer.trailers)
        self.add(f"{where}: fields", text.encode("latin-1"))
        self.add(f"{where}: body", body)

    # Watching

    def watch(self, process):
        with self.lock:
            self.processes.append(process)

    def sample_until_the_end(self):
        while not self.ended.wait(0.02):
            self.sample()

    def sample(self):
        # Whoever comes second finds all of what the first has seen.
        with self.sampling:
            with self.lock:
                self.processes = [p for p in self.processes if p.poll() is None]
                running = [p.pid for p in self.processes]
            for pid in running:
                for one in descendants(pid):
                    self.keep_arguments(one)
            self.keep_files()

    def keep_arguments(self, pid):
        for name in ("cmdline", "comm"):
            try:
                data = Path(f"/proc/{pid}/{name}").read_bytes()
            except OSError:
                continue
            if data not in self.seen_arguments:
                self.seen_arguments.add(data)
                self.add(f"the {name} of process {pid}", data)

    def keep_files(self):
        """Every file as it was at some time, its name included."""
        for parent, _, names in os.walk(self.folder):
            for name in names:
                path = os.path.join(parent, name)
                try:
                    if self.is_written(path):
                        continue
                    status = os.stat(path)
                    if not stat.S_ISREG(status.st_mode):
                        continue
                    mark = (status.st_ino, status.st_mtime_ns, status.st_size)
                    if self.seen_files.get(path) == mark:
                        continue
                    data = Path(path).read_bytes()
                except OSError:
                    continue
                self.seen_files[path] = mark
                self.add(f"the file {os.path.relpath(path, self.folder)}", f"{path}\n".encode() + data)

    # Judging

    def findings(self, everything=False):
        """In what came since the last search, or in everything: a secret may be planted after it was seen."""
        self.sample()
        with self.lock:
            entries = list(self.entries[0 if everything else self.searched :])
            self.searched = len(self.entries)
        return [finding for where, data in entries for finding in self.canaries.find(data, where)]

    def end(self):
        self.ended.set()
        self.sampler.join(LIMIT)


class Command:
    """A process whose outputs, arguments and files are evidence, line by line as they come."""

    def __init__(self, evidence, title, arguments, *, cwd, environment=None, stdin=None, before=None):
        self.evidence, self.title = evidence, title
        self.lines, self.said = [], b""
        self.changed = threading.Condition()
        temporary = evidence.folder / "temporary"
        temporary.mkdir(exist_ok=True)
        self.process = subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env={**Paraph.environment(), "TMPDIR": str(temporary), "HOME": str(evidence.folder), **(environment or {})},
            preexec_fn=before,
        )
        evidence.watch(self.process)
        self.readers = [
            threading.Thread(target=self.read, args=(stream, name), daemon=True)
            for stream, name in ((self.process.stdout, "stdout"), (self.process.stderr, "stderr"))
        ]
        for reader in self.readers:
            reader.start()
        if stdin is not None:
            self.type(stdin)
            self.process.stdin.close()

    def read(self, stream, name):
        for line in stream:
            self.evidence.add(f"{name} of {self.title}", line)
            with self.changed:
                self.lines.append(line.decode("utf-8", "replace").rstrip("\n"))
                self.changed.notify_all()

    def type(self, text):
        try:
            self.process.stdin.write(text.encode() if isinstance(text, str) else text)
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def wait(self):
        """Its exit code."""
        try:
            self.process.stdin.close()
        except (BrokenPipeError, ValueError):
            pass
        try:
            code = self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError(f"{self.title} did not end:\n{self.text}") from None
        for reader in self.readers:
            reader.join(LIMIT)
        return code

    @property
    def text(self):
        with self.changed:
            return "\n".join(self.lines)

    def wait_for(self, condition, what):
        """What `condition` makes of the text so far, as soon as it makes something of it."""

        def look():
            found = condition(self.text)
            assert found or self.process.poll() is None, f"{self.title} ended before {what}:\n{self.text}"
            return found

        return wait_until(look, f"{self.title}: {what}")

    def address(self, listener):
        """Where a `run` listens."""

        def announced(text):
            for line in text.splitlines():
                found = listener_in(line)
                if found and found[0] == listener:
                    return found[1]
            return None

        return self.wait_for(announced, f"the listener {listener}")
