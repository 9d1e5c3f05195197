"""`paraph login` as a process, and the person with a browser on the other side."""

import html
import re
import subprocess
import threading

import requests

from .applications import KNOWN_SECRETS
from .waiting import LIMIT, wait_until

ADDRESS = re.compile(r"https://\S*[?&]oauth_token=\S+")


class Dialogue:
    """Runs until it ends by itself. What it says and what is typed into it are lines of text."""

    def __init__(self, command, environment, folder):
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={n: v for n, v in environment.items() if n not in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")},
            cwd=folder,
        )
        self.said = b""
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        # A prompt has no line feed at its end.
        while piece := self.process.stdout.read1():
            self.said += piece

    @property
    def text(self):
        return self.said.decode("utf-8", "replace")

    def address(self):
        """The authorization address, as it was printed."""

        def printed():
            found = ADDRESS.search(self.text)
            assert found or self.process.poll() is None, f"ended with {self.process.returncode}: {self.text}"
            return found

        return wait_until(printed, "the authorization address").group()

    def type(self, line):
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def finish(self):
        """The exit code, and all that was said, which holds no secret."""
        try:
            self.process.stdin.close()
        except OSError:
            pass
        code = self.process.wait(LIMIT)
        self.reader.join(LIMIT)
        assert not KNOWN_SECRETS.found_in(self.text), f"a secret in the output: {self.text}"
        return code, self.text

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(LIMIT)


class Login(Dialogue):
    def __init__(self, paraph, api, account=None, environment=None):
        command = [paraph.binary, "login", api, "--config", str(paraph.file)]
        if account:
            command += ["--account", account]
        super().__init__(command, {**paraph.environment(), **(environment or {})}, paraph.folder)


class Browser:
    """A person who follows the authorization address, approves or denies, and is sent back."""

    def __init__(self, certificates):
        self.session = requests.Session()
        self.session.trust_env = False
        self.session.verify = str(certificates.root_file)

    def decide(self, address, decision, user="alice"):
        page = self.session.get(address, timeout=LIMIT)
        assert page.status_code == 200 and "<form" in page.text, f"{page.status_code} {page.text}"
        # The last answer is that of the callback, where the provider redirects to one.
        return self.session.post(address, {"decision": decision, "user": user}, timeout=LIMIT)

    def approve(self, address, user="alice"):
        return self.decide(address, "approve", user)

    def pin(self, address, user="alice"):
        """What the provider shows to be typed."""
        page = self.approve(address, user).text
        return html.unescape(page.partition("<code>")[2].partition("</code>")[0])
