"""`paraph exec`: a command in a private proxy's environment, with or without a terminal."""

import os
import pty
import re
import signal
import subprocess
import time
from multiprocessing.connection import wait
from pathlib import Path

from .applications import KNOWN_SECRETS
from .paraph import LONG, Paraph, yaml
from .waiting import LIMIT

# A value that no test is to find in force: nothing answers there (RFC 5737).
NOWHERE = "http://192.0.2.1:9"


class Session:
    """One configuration, which commands are run by."""

    def __init__(self, binary, folder, configuration):
        self.binary, self.folder = binary, folder
        self.temporary = folder / "tmp"
        self.temporary.mkdir(parents=True)
        self.file = folder / "paraph.yaml"
        timeouts = {**LONG, **configuration.get("timeouts", {})}
        self.file.write_text(yaml({"state": "state", **configuration, "timeouts": timeouts}) + "\n")

    def environment(self, **more):
        """The machine's, without what it says itself of proxies and CAs, so that every machine is alike."""
        said = ("CERT", "CA_BUNDLE", "CAINFO", "SSL_", "JAVA_TOOL_OPTIONS", "NODE_OPTIONS", "WGETRC", "PHP_INI")
        mine = {n: v for n, v in Paraph.environment().items() if not any(s in n for s in said)}
        return {**mine, "TMPDIR": str(self.temporary), "HOME": str(self.folder), **more}

    def words(self, command, *options):
        return [self.binary, "exec", "--config", str(self.file), *options, "--", *command]

    def run(self, command, *options, stdin=b"", environment=None, **more):
        """What a command says and how it ends; looks after it for what is left behind."""
        done = subprocess.run(
            self.words(command, *options),
            input=stdin,
            capture_output=True,
            timeout=LIMIT,
            env={**self.environment(), **(environment or {})},
            cwd=self.folder,
            start_new_session=True,
            **more,
        )
        said = (done.stdout + done.stderr).decode("latin-1")
        assert not KNOWN_SECRETS.found_in(said), f"a secret in the output: {said}"
        self.check_nothing_is_left()
        return done

    def start(self, command, *options, environment=None, **more):
        """The running process, whose output is text."""
        return subprocess.Popen(
            self.words(command, *options),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**self.environment(), **(environment or {})},
            cwd=self.folder,
            start_new_session=True,
            text=True,
            **more,
        )

    def check_nothing_is_left(self):
        left = [str(path) for path in self.temporary.iterdir() if path.name.startswith("paraph")]
        assert not left, f"left behind: {left}"


class Terminal:
    """A terminal of its own, in which a program runs as a person has it."""

    def __init__(self, words, environment, folder):
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(words[0], words, {**environment, "TERM": "dumb"})
        self.text, self.status = "", None

    def type(self, text):
        os.write(self.descriptor, text.encode())

    def wait_for(self, pattern):
        """Reads until the pattern was written, and forgets what was before its end."""
        deadline = time.monotonic() + LIMIT
        while not (found := re.search(pattern, self.text)):
            left = deadline - time.monotonic()
            assert left > 0, f"waited {LIMIT} s for {pattern!r}, and saw {self.text!r}"
            if wait([self.descriptor], left):
                self.text += self.read()
        self.text = self.text[found.end() :]
        return found

    def read(self):
        try:
            data = os.read(self.descriptor, 65536)
        except OSError:  # The other end is closed.
            data = b""
        assert data, f"the program ended after {self.text!r}"
        return data.decode("latin-1")

    def end(self):
        """The exit code of the program, once it has ended by itself; minus a signal that ended it."""
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline:
            if wait([self.descriptor], 1):
                try:
                    self.text += self.read()
                except AssertionError:
                    return self.close()
        os.kill(self.process, signal.SIGKILL)
        self.close()
        raise AssertionError(f"waited {LIMIT} s for the end, and saw {self.text!r}")

    def close(self):
        """Takes the terminal away, and waits for the program."""
        os.close(self.descriptor)
        _, status = os.waitpid(self.process, 0)
        return os.waitstatus_to_exitcode(status)


def processes_of(session):
    """The processes of a session, by its number: those that a program has left running."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(path.parent.name)
    return found
