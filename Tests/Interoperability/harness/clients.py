"""The real clients. Each takes the same `Request` and gives an `Answer`; what one cannot do is named in `cannot`."""

import base64
import json
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import requests
from cryptography import x509
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption
from cryptography.hazmat.primitives.serialization.pkcs12 import PKCS12Certificate, serialize_java_truststore

from . import java
from .answer import Answer
from .paraph import Paraph
from .waiting import LIMIT

FOLDER = Path(__file__).resolve().parent.parent / "clients"
# A large body takes its time; one that does not come on at all is given up.
STALLED = ["--connect-timeout", str(LIMIT), "--speed-limit", "1", "--speed-time", str(LIMIT)]


class ClientError(Exception):
    """The client gave up; the message is what it said."""


@dataclass
class Request:
    url: str
    method: str = "GET"
    headers: dict = field(default_factory=dict)
    body: bytes | None = None
    chunked: bool = False
    expect_continue: bool = False
    user: str | None = None


def parse_head(payload):
    """Status and fields of the last head in what curl -D or wget -S wrote."""
    heads = [h for h in re.split(rb"\r?\n\r?\n", payload.strip()) if h.strip().startswith(b"HTTP/")]
    lines = re.split(rb"\r?\n", heads[-1].strip())
    fields = []
    for line in lines[1:]:
        left, _, right = line.strip().partition(b":")
        fields.append((left.decode("latin-1"), right.strip().decode("latin-1")))
    return int(lines[0].split()[1]), fields, [int(h.strip().split()[1]) for h in heads[:-1]]


def run(command, stdin=b"", **environment):
    return subprocess.run(
        command, input=stdin, capture_output=True, timeout=LIMIT, env={**Paraph.environment(), **environment}
    )


class Curl:
    name = "curl"
    cannot = frozenset()

    @staticmethod
    def available():
        return shutil.which("curl")

    @staticmethod
    def command(paraph, request, *more):
        """Knows nothing but the proxy and the CA: no option changes what curl would say to the provider itself."""
        command = ["curl", "-sS", "--globoff", "--path-as-is", *STALLED]
        if request.method == "HEAD":
            # What --head would print on standard output is the head; this tells instead how much of a body there was.
            command += ["--head", "-o", "/dev/null", "-w", "%{size_download}"]
        elif request.method != "GET" or request.body is not None:
            command += ["-X", request.method]
        headers = dict(request.headers)
        if request.chunked:
            headers["Transfer-Encoding"] = "chunked"
        if request.expect_continue:
            # curl sends Expect by itself only for large bodies; it waits for 100 as long as it is told to.
            headers["Expect"] = "100-continue"
            command += ["--expect100-timeout", str(LIMIT)]
        elif request.body is not None:
            headers.setdefault("Expect", "")
        for n, v in headers.items():
            command += ["-H", f"{n}: {v}" if v else f"{n}:"]
        if request.user is not None:
            command += ["--proxy-user", request.user]
        if request.body is not None:
            command += ["--data-binary", "@-"]
        return [*command, *more, request.url]

    @staticmethod
    def environment(paraph):
        return {"https_proxy": paraph.url, "http_proxy": paraph.url, "CURL_CA_BUNDLE": str(paraph.ca)}

    def send(self, paraph, request, *more):
        with tempfile.NamedTemporaryFile() as heads:
            done = run(
                self.command(paraph, request, "-D", heads.name, "--suppress-connect-headers", *more),
                request.body or b"",
                **self.environment(paraph),
            )
            if done.returncode:
                raise ClientError(f"curl ended with {done.returncode}: {done.stderr.decode()}")
            status, fields, earlier = parse_head(heads.read())
        body = done.stdout if request.method != "HEAD" else b"?" * int(done.stdout)
        return Answer(status, fields, body, informational=earlier)


class PythonRequests:
    name = "requests"
    cannot = frozenset({"continue", "raw"})

    @staticmethod
    def available():
        return f"requests {requests.__version__}"

    @staticmethod
    def send(paraph, request):
        session = requests.Session()
        session.trust_env = False
        proxy = (
            paraph.url if request.user is None else paraph.url.replace("//", f"//{request.user.replace('+', '%2B')}@")
        )
        body = iter([request.body[:7], request.body[7:]]) if request.chunked else request.body
        try:
            found = session.request(
                request.method,
                request.url,
                headers=request.headers,
                data=body,
                timeout=LIMIT,
                proxies={"http": proxy, "https": proxy},
                verify=str(paraph.ca),
                allow_redirects=False,
            )
        except requests.RequestException as error:
            raise ClientError(str(error)) from None
        finally:
            session.close()
        return Answer(found.status_code, list(found.raw.headers.items()), found.content)


class Node:
    name = "node"
    cannot = frozenset({"raw"})

    @staticmethod
    def available():
        return shutil.which("node")

    @staticmethod
    def send(paraph, request):
        job = {
            "proxy": paraph.url,
            "ca": str(paraph.ca),
            "method": request.method,
            "url": request.url,
            "headers": {**request.headers, **({"Expect": "100-continue"} if request.expect_continue else {})},
            "body": None if request.body is None else base64.b64encode(request.body).decode(),
            "chunked": request.chunked,
        }
        if request.user is not None:
            job["proxyAuthorization"] = "Basic " + base64.b64encode(request.user.encode()).decode()
        done = run(["node", str(FOLDER / "client.mjs")], json.dumps(job).encode())
        if done.returncode:
            raise ClientError(f"node: {done.stdout.decode()} {done.stderr.decode()}")
        found = json.loads(done.stdout)
        return Answer(found["status"], [tuple(f) for f in found["fields"]], base64.b64decode(found["body"]))


class Java:
    """One virtual machine for each proxy; it keeps its connections between requests."""

    name = "java"
    # The JDK's HttpClient makes a server name of an IPv6 literal, and then refuses it.
    cannot = frozenset({"raw", "user", "IPv6"})

    def __init__(self):
        self.machines = {}

    @staticmethod
    def available():
        return java.available()

    def machine(self, paraph):
        key = (paraph.proxy, str(paraph.ca))
        if key not in self.machines:
            store, password = paraph.folder / "truststore.p12", "changeit"
            certificates = x509.load_pem_x509_certificates(paraph.ca.read_bytes())
            entries = [PKCS12Certificate(one, b"%d" % number) for number, one in enumerate(certificates)]
            store.write_bytes(serialize_java_truststore(entries, BestAvailableEncryption(password.encode())))
            host, _, port = paraph.proxy.rpartition(":")
            trust = f"-Djavax.net.ssl.trustStore={store}", f"-Djavax.net.ssl.trustStorePassword={password}"
            self.machines[key] = subprocess.Popen(
                [*java.command("Client", *trust), host, port],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=Paraph.environment(),
            )
        return self.machines[key]

    def send(self, paraph, request):
        options = ["body"] if request.body is not None else []
        options += ["chunked"] if request.chunked else []
        options += ["continue"] if request.expect_continue else []
        headers = "\n".join(f"{n}: {v}" for n, v in request.headers.items())
        parts = [request.method, request.url, headers, request.body or b"", " ".join(options)]
        line = b"\t".join(base64.b64encode(p if isinstance(p, bytes) else p.encode()) for p in parts)
        machine = self.machine(paraph)
        machine.stdin.write(line + b"\n")
        machine.stdin.flush()
        found = machine.stdout.readline().rstrip(b"\n").split(b"\t")
        if not found[0].isdigit():
            raise ClientError("java: " + base64.b64decode(found[-1]).decode() if len(found) > 1 else "java ended")
        fields = [tuple(f.split(":", 1)) for f in base64.b64decode(found[1]).decode().split("\n") if f]
        return Answer(int(found[0]), fields, base64.b64decode(found[2]))

    def end(self):
        for machine in self.machines.values():
            machine.kill()
            machine.wait()


class Wget:
    name = "wget"
    # wget asks for `CONNECT ::1:443`, which RFC 9112 does not allow.
    cannot = frozenset({"chunked", "continue", "raw", "IPv6"})

    @staticmethod
    def available():
        return shutil.which("wget")

    @staticmethod
    def send(paraph, request):
        command = ["wget", "-q", "-S", "-O", "-", "--tries=1", "--content-on-error", f"--ca-certificate={paraph.ca}"]
        if request.method == "HEAD":
            command += ["--spider"]
        elif request.method != "GET":
            command += [f"--method={request.method}"]
        command += [f"--header={n}: {v}" for n, v in request.headers.items()]
        if request.user is not None:
            user, _, password = request.user.partition(":")
            command += [f"--proxy-user={user}", f"--proxy-password={password}"]
        with tempfile.NamedTemporaryFile() as body:
            if request.body is not None:
                body.write(request.body)
                body.flush()
                command += [f"--body-file={body.name}"]
            done = run([*command, request.url], https_proxy=paraph.url, http_proxy=paraph.url)
        if b"HTTP/1." not in done.stderr:
            raise ClientError(f"wget ended with {done.returncode}: {done.stderr.decode()}")
        status, fields, _ = parse_head(re.sub(rb"(?m)^  (?=HTTP/)", b"\n\n", done.stderr))
        return Answer(status, fields, done.stdout)


CURL = Curl()
EVERY_CLIENT = [CURL, PythonRequests(), Node(), Java(), Wget()]
