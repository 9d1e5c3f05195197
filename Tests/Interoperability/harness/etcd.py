"""A server of etcd: Debian's `etcd-server`, and `etcd-client` for what only an administrator does."""

import base64
import http.client
import json
import shutil
import subprocess
from contextlib import ExitStack

from .output import Output
from .ports import held_port
from .waiting import LIMIT, wait_until


class Etcd:
    """Has its ports, and its data, as long as the test lasts, whether it runs or not."""

    def __init__(self, folder, tls=(), trust=None):
        """`tls` are further arguments, with which it speaks TLS; `trust` is then the file of the CA that it is verified
        with here."""
        self.folder, self.tls, self.trust, self.process = folder, list(map(str, tls)), trust, None
        self.ports = ExitStack()
        self.port, self.peer_port = (self.ports.enter_context(held_port()) for _ in range(2))
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}"

    def start(self):
        peer = f"http://127.0.0.1:{self.peer_port}"
        self.process = subprocess.Popen(
            # It ends with the tests, whatever ends them.
            ["setpriv", "--pdeathsig", "KILL", "etcd"]
            + ["--data-dir", str(self.folder / f"etcd-{self.port}"), "--unsafe-no-fsync", *self.tls]
            + ["--listen-client-urls", self.url, "--advertise-client-urls", self.url]
            + ["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer]
            + ["--initial-cluster", f"default={peer}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            bufsize=0,
        )
        lines = []
        self.output = Output(self.process.stdout, lines.append)

        def serves():
            assert self.process.poll() is None, "\n".join(lines[-20:])
            return any("ready to serve client requests" in line for line in list(lines))

        wait_until(serves, "etcd to serve")
        return self

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait(LIMIT)
            self.output.join(LIMIT)

    def end(self):
        self.stop()
        self.ports.close()

    def restore(self, snapshot):
        """Starts it anew with what a snapshot has, in place of what it has."""
        self.stop()
        data, peer = self.folder / f"etcd-{self.port}", f"http://127.0.0.1:{self.peer_port}"
        shutil.rmtree(data)
        # etcdctl has left it to etcdutl since 3.6.
        program = "etcdutl" if shutil.which("etcdutl") else "etcdctl"
        done = subprocess.run(
            [program, "snapshot", "restore", str(snapshot), "--data-dir", str(data)]
            + ["--initial-cluster", f"default={peer}", "--initial-advertise-peer-urls", peer],
            capture_output=True,
            text=True,
            timeout=LIMIT,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return self.start()

    def control(self, *arguments):
        """Runs etcdctl."""
        done = subprocess.run(
            ["etcdctl", "--endpoints", self.url, *(["--cacert", self.trust] if self.trust else []), *arguments],
            capture_output=True,
            text=True,
            timeout=LIMIT,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def put(self, key, value):
        """By the JSON gateway, where there are no users."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)
        try:
            pair = {"key": base64.b64encode(key.encode()).decode(), "value": base64.b64encode(value).decode()}
            connection.request("POST", "/v3/kv/put", json.dumps(pair))
            assert connection.getresponse().status == 200
        finally:
            connection.close()

    def let_only(self, name, password, prefix):
        """Has it ask for users: an administrator, and one who may use the keys with a prefix."""
        self.control("user", "add", "root:an administrator's")
        self.control("user", "grant-role", "root", "root")
        self.control("role", "add", name)
        self.control("role", "grant-permission", name, "readwrite", "--prefix=true", prefix)
        self.control("user", "add", f"{name}:{password}")
        self.control("user", "grant-role", name, name)
        self.control("auth", "enable")
