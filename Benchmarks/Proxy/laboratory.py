"""What the benchmarks stand on: a folder, certificates, processes. Loopback only; nothing outlives it."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
HOST = "api.example.com"
H2_HOST = "h2.example.com"  # whose upstream speaks HTTP/2

CONSUMER_KEY, CONSUMER_SECRET = "benchConsumerKey", "benchConsumerSecret"
STOPPING = 10  # seconds that a process has for its end
TOKEN, TOKEN_SECRET = "benchToken", "benchTokenSecret"


def note(text):
    print(f"run: {text}", file=sys.stderr)


def command(*arguments, **options):
    return subprocess.run(list(map(str, arguments)), check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def need(program, packages):
    if not shutil.which(program):
        sys.exit(f"run: {program} is missing; install it: apt-get install {packages}")


def build(options="Release/options", folder=".build"):
    """Builds Paraph for use, and returns where it is. Both names are relative to the project's folder."""
    swift = ["swift", "build", "--package-path", ROOT, "--scratch-path", ROOT / folder, "-c", "release"]
    product = ["--product", "paraph", "--static-swift-stdlib"]
    flags = ["-Xswiftc", f"@{options}", "-Xcc", f"--config={options}.clang"]
    subprocess.run([*swift, *product, *flags], check=True, stdout=sys.stderr)
    return Path(command(*swift, "--show-bin-path").strip()) / "paraph"


def on_core(core, arguments):
    """With two cores the proxy has one for itself."""
    return ["taskset", "-c", core, *arguments] if (os.cpu_count() or 1) >= 2 else list(arguments)


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Laboratory:
    """A folder with what every measurement needs, and the processes that were started in it."""

    def __enter__(self):
        for program, packages in (
            ("nginx", "nginx"), ("openssl", "openssl"), ("gcc", "gcc libc6-dev libssl-dev"), ("taskset", "util-linux"),
        ):
            need(program, packages)
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: sys.exit(143))
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self.temporary.name)
        self.processes = []
        self.compile("loadgen", "loadgen.c", "process.c", "sockets.c", "-lssl", "-lcrypto")
        self.compile("relay", "relay.c", "sockets.c")
        self.make_certificates()
        self.paraph = os.environ.get("PARAPH") or build()
        return self

    def __exit__(self, *_):
        for process in list(self.processes):
            self.stop(process)
        self.temporary.cleanup()

    def compile(self, name, *arguments):
        sources = [HERE / argument if argument.endswith(".c") else argument for argument in arguments]
        command("gcc", "-O2", "-o", self.folder / name, *sources)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def make_certificates(self):
        """A CA, and a certificate of it for the hosts, which upstream and reverse proxies share."""
        new = ["openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        self.write(
            "server.cnf",
            f"subjectAltName=DNS:{HOST},DNS:{H2_HOST}\nextendedKeyUsage=serverAuth\nkeyUsage=digitalSignature\n",
        )
        for arguments in (
            [
                *new, "-x509", "-days", "2", "-subj", "/CN=Benchmark CA", "-keyout", "ca.key", "-out", "ca.pem",
                "-addext", "keyUsage=critical,keyCertSign,cRLSign",
            ],
            [*new, "-subj", f"/CN={HOST}", "-keyout", "server.key", "-out", "server.csr"],
            [
                "openssl", "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                "-days", "2", "-out", "server.pem", "-extfile", "server.cnf",
            ],
        ):
            command(*arguments, cwd=self.folder, stderr=subprocess.DEVNULL)
        both = [(self.folder / name).read_text() for name in ("server.pem", "server.key")]
        self.write("server-both.pem", "".join(both))

    def free_ports(self, count):
        return [int(port) for port in command(self.folder / "loadgen", "-f", count).split()]

    def start(self, name, core, arguments, port, **options):
        """Returns the process once it listens on the port."""
        with open(self.folder / f"{name}.out", "ab") as out:
            process = subprocess.Popen(
                list(map(str, on_core(core, arguments))), stdin=subprocess.DEVNULL, stdout=out, stderr=out, **options
            )
        self.processes.append(process)
        deadline = time.monotonic() + 30
        while not listens(port):
            if process.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"run: {name} does not listen:\n" + (self.folder / f"{name}.out").read_text())
            time.sleep(0.001)
        return process

    def stop(self, process):
        process.terminate()
        process.send_signal(signal.SIGCONT)
        try:
            process.wait(STOPPING)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self.processes.remove(process)

    def start_loadgen(self, *arguments):
        line = list(map(str, on_core(0, [self.folder / "loadgen", *arguments])))
        process = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        self.processes.append(process)
        return process

    def result(self, loadgen):
        """What it prints, once it has ended."""
        output, _ = loadgen.communicate()
        self.processes.remove(loadgen)
        if loadgen.returncode:
            sys.exit("run: the load generator gave up")
        return output.split()

    def loadgen(self, *arguments):
        return self.result(self.start_loadgen(*arguments))
