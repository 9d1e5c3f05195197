"""The real `paraph`, as a process of its own."""

import http.client
import json
import os
import re
import signal
import subprocess
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

from .answer import Answer
from .applications import KNOWN_SECRETS, remember
from .output import Output
from .raw import RawClient
from .waiting import LIMIT, wait_until

EVERY_PROCESS = []


# A test makes the one short that it lets pass, and no other one is over before.
LONG = {name: "10m" for name in ("connect", "handshake", "request_header", "response_header", "token", "idle", "drain")}


def listener_in(line):
    """(listener, address) when a log line announces one, else None, in both formats of the log. A gateway's listener
    has its API's name behind it."""
    try:
        entry = json.loads(line)
    except ValueError:
        entry = dict(re.findall(r"(?<= )(listener|address|api)=([^ ]+)", line))
    if isinstance(entry, dict) and "listener" in entry and "address" in entry:
        return " ".join([entry["listener"], *([entry["api"]] if "api" in entry else [])]), entry["address"]
    return None


def yaml(value, indent=0):
    """A plain structure as block YAML; scalars in JSON's form, which is YAML's too."""
    pad = "  " * indent
    if isinstance(value, dict) and value:
        lines = []
        for key, entry in value.items():
            nested = isinstance(entry, (dict, list)) and entry
            lines.append(
                f"{pad}{json.dumps(str(key))}:" + (f"\n{yaml(entry, indent + 1)}" if nested else f" {yaml(entry)}")
            )
        return "\n".join(lines)
    if isinstance(value, list) and value:
        return "\n".join(f"{pad}- {yaml(entry, indent + 1).lstrip()}" for entry in value)
    if isinstance(value, Path):
        value = str(value)
    return json.dumps(value, ensure_ascii=False)


class Paraph:
    """One configuration, and the process that runs it. It can be stopped, killed and started again."""

    DEFAULTS = {
        "listen": {"proxy": "127.0.0.1:0", "admin": "127.0.0.1:0"},
        "state": "state",
        "log": {"level": "debug", "format": "json"},
    }

    def __init__(self, binary, folder, configuration):
        self.binary, self.folder = binary, folder
        # Starts the binary in the way of a service manager.
        self.starter = None
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / "paraph.yaml"
        self.reconfigure(configuration)
        self.process = None
        self.may_end = True
        self.output = None
        self.read_lines = []
        self.scanned = 0
        # What was announced last stays known while a restart is under way: clients go on asking there.
        self.addresses = {}
        self.announced = set()
        EVERY_PROCESS.append(self)

    def reconfigure(self, configuration):
        """Writes another configuration, which nobody reads before a start or a reload."""
        if not isinstance(configuration, str):
            timeouts = {**LONG, **configuration.get("timeouts", {})}
            configuration = {**self.DEFAULTS, **configuration, "timeouts": timeouts}
        self.configuration = configuration
        self.rewrite()

    def rewrite(self):
        text = self.configuration if isinstance(self.configuration, str) else yaml(self.configuration) + "\n"
        # Whoever reads it meanwhile sees the one before.
        fresh = self.file.with_suffix(".new")
        fresh.write_text(text)
        fresh.replace(self.file)

    # Life

    def start(self, wait=True, environment=None, **more):
        """`environment` is what the process has beside what is usual; `more` is for subprocess.Popen."""
        self.announced = set()
        self.may_end = not wait
        self.process = subprocess.Popen(
            [self.starter or self.binary, "run", "--config", str(self.file)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**self.environment(), **(environment or {})},
            cwd=self.folder,
            bufsize=0,
            **more,
        )
        self.output = Output(self.process.stdout, self.take_line)
        if wait:
            self.wait_until_ready()
        return self

    @staticmethod
    def environment():
        """Without anybody else's proxy settings."""
        return {n: v for n, v in os.environ.items() if "proxy" not in n.lower() and not n.startswith("PARAPH")}

    def take_line(self, line):
        found = listener_in(line)
        if found:
            self.addresses[found[0]] = found[1]
            self.announced.add(found[0])
        self.read_lines.append(line)

    @property
    def lines(self):
        """Of the log, so far."""
        if self.output:
            self.output.catch_up()
        return self.read_lines

    def wait_until_ready(self):
        def ready():
            assert self.process.poll() is None, f"paraph ended with {self.process.returncode}:\n{self.tail()}"
            return {"proxy", "admin"} <= self.announced and self.admin("/readyz")[0] == 200

        wait_until(ready, "paraph to be ready")
        for made in ("vault.key", "ca.key"):
            if (file := self.folder / "state" / made).exists():
                for line in file.read_text("latin-1").splitlines():
                    if not line.startswith("-----") and len(line) > 20:
                        remember(line)

    def stop(self, number=signal.SIGTERM):
        """Ends the process by a signal; its exit code."""
        self.may_end = True
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.wait()

    def wait(self):
        """Until it has ended and all that it said is read; its exit code."""
        code = self.process.wait(LIMIT)
        self.output.join(LIMIT)
        return code

    def signal(self, number):
        self.may_end = True
        self.process.send_signal(number)

    def reload(self, configuration=None, outcome="applied"):
        """Has the configuration read again by SIGHUP, and waits until it was `applied` or `refused` and, where its log
        can be read here before and after, has told so: new addresses are announced before."""
        tells, count = self.tells(), len(self.lines)
        if configuration is not None:
            self.reconfigure(configuration)
        before = self.reloads()

        def counted():
            found = self.reloads()
            return found if found != before else None

        self.process.send_signal(signal.SIGHUP)
        found = wait_until(counted, "the reload")
        assert found == {**before, outcome: before[outcome] + 1}, self.tail()
        if tells and self.tells():
            self.told("reloaded", since=count)

    def tells(self):
        """Whether the log of the configuration comes here, with what is said at info."""
        log = isinstance(self.configuration, dict) and self.configuration["log"]
        return bool(log) and "file" not in log and log.get("level", "info") in ("info", "debug", "trace")

    def allow_port(self, port):
        """Has hosts of no API be asked for on this port."""
        access = {**self.configuration.get("access", {}), "connect_ports": [443, int(port)]}
        self.reload({**self.configuration, "access": access})

    @contextmanager
    def limited(self, **timeouts):
        """Has other times in force, by a reload: what was set up before has had all the time that it needs."""
        usual = self.configuration
        self.reload({**usual, "timeouts": {**usual["timeouts"], **timeouts}})
        try:
            yield
        finally:
            self.reload(usual)

    def reloads(self):
        """How many reloads were applied and refused; None while the admin listener does not answer."""
        found = self.metrics("paraph_configuration_reloads_total")
        return found and {outcome: found.get(f'outcome="{outcome}"') for outcome in ("applied", "refused")}

    def kill(self):
        self.may_end = True
        self.process.kill()
        self.wait()

    @property
    def running(self):
        return self.process is not None and self.process.poll() is None

    def ended_by_itself(self):
        """True when the process is gone although nobody asked it to go; told once."""
        gone, self.may_end = not self.running and not self.may_end, self.may_end or not self.running
        return gone

    # What it says

    @property
    def proxy(self):
        return self.addresses["proxy"]

    @property
    def url(self):
        return f"http://{self.proxy}"

    def gateway(self, api="main"):
        """The URL of an API's gateway."""
        return f"http://{self.addresses[f'gateway {api}']}"

    def admin(self, path):
        """Status and body of a GET on the admin listener; status 0 when nobody answers."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(f"http://{self.addresses['admin']}{path}", timeout=LIMIT) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()
        except OSError:
            return 0, b""

    def metrics(self, name):
        """The samples of one metric, by their labels as they are written; None when nobody answers."""
        status, body = self.admin("/metrics")
        found = re.findall(rf"^{name}{{(.*)}} (\S+)$", body.decode(), re.M)
        return {labels: int(value) for labels, value in found} if status == 200 else None

    def administer(self, method, path, body=None, content_type=None, token=None):
        """Any request on the admin listener."""
        host, _, port = self.addresses["admin"].rpartition(":")
        connection = http.client.HTTPConnection(host, int(port), timeout=LIMIT)
        headers = {"Content-Type": content_type} if content_type else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return Answer(answer.status, answer.getheaders(), answer.read())
        finally:
            connection.close()

    def command(self, *arguments, stdin="", environment=None):
        """Runs another command of the same executable, with the same configuration; its exit code, and all it says."""
        done = subprocess.run(
            [self.binary, *arguments, "--config", str(self.file)],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=LIMIT,
            env={**self.environment(), **(environment or {})},
            cwd=self.folder,
        )
        said = done.stdout + done.stderr
        assert not KNOWN_SECRETS.found_in(said), f"a secret in the output: {said}"
        return done.returncode, said

    def name_ports(self):
        """Writes the ports that were chosen into the file, for commands that look there for the proxy."""
        listen = {name: self.addresses[name] for name in self.configuration["listen"]}
        self.reconfigure({**self.configuration, "listen": listen})

    @property
    def ca(self):
        """The local CA's certificate, as a file."""
        return self.folder / "state" / "ca.pem"

    def log(self):
        return "\n".join(self.lines)

    def told(self, *words, count=1, since=0):
        """The lines of the log, after the first `since`, that hold all of the words, as soon as there are `count` of
        them: a running proxy keeps its lines back for a moment, to write them in the order of their times."""

        def found():
            lines = [line for line in self.lines[since:] if all(word in line for word in words)]
            return (lines,) if len(lines) >= count else None

        (lines,) = wait_until(found, f"{words} in the log")
        return lines

    def tail(self, count=40):
        return "\n".join(self.lines[-count:])

    def leaks(self):
        """The lines since the last look that hold a secret."""
        fresh = self.lines[self.scanned :]
        self.scanned += len(fresh)
        return KNOWN_SECRETS.found_in("\n".join(fresh)) and [line for line in fresh if KNOWN_SECRETS.found_in(line)]

    def memory(self, name):
        """A figure of /proc/PID/status in bytes."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"^{name}:\s+(\d+) kB", text, re.M).group(1)) * 1024

    def descriptors(self):
        """What each of its descriptors leads to."""
        found = []
        for entry in Path(f"/proc/{self.process.pid}/fd").iterdir():
            try:
                found.append(os.readlink(entry))
            except OSError:
                pass
        return found

    def reset_peak_memory(self):
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")

    # Raw access

    def raw(self, authority=None, **options):
        return RawClient(self.proxy, authority, ca=self.ca, **options)

    def sockets(self):
        """Of each TCP connection that the proxy listener accepted: state, bytes not yet read, the client's port."""
        port = f"{int(self.proxy.rpartition(':')[2]):04X}"
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
            _, local, remote, state, queues, *_ = line.split()
            if local.endswith(f":{port}"):
                yield state, int(queues.partition(":")[2], 16), int(remote.partition(":")[2], 16)

    def established(self):
        return sum(1 for state, _, _ in self.sockets() if state == "01")

    def has_read_everything(self, client):
        """Whether nothing that `client` sent still waits in the proxy's socket."""
        mine = client.wire.socket.getsockname()[1]
        return all(unread == 0 for state, unread, port in self.sockets() if state == "01" and port == mine)

    def accepts(self, listener="proxy", address=None):
        """Whether the process listens there, or at the address where it once did. A port that was closed may be
        somebody else's by now."""
        address = address or self.addresses[listener]
        port, mine = f":{int(address.rpartition(':')[2]):04X}", self.descriptors()
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[1].endswith(port) and fields[3] == "0A" and f"socket:[{fields[9]}]" in mine:
                return True
        return False


def end_all():
    for one in EVERY_PROCESS:
        if one.running:
            one.process.kill()
            one.process.wait(LIMIT)
