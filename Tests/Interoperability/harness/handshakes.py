"""TLS as each library verifies it: a handshake with a port of loopback, for a host that is told beside the port."""

import ipaddress
import re
import shutil
import socket
import ssl
import subprocess
import threading
from pathlib import Path

from . import java
from .http1 import Wire, read_head
from .paraph import Paraph
from .raw import connect
from .waiting import LIMIT

FOLDER = Path(__file__).resolve().parent.parent / "clients"


def is_address(host):
    try:
        ipaddress.ip_address(host)
        return True
    except ValueError:
        return False


def bracketed(host):
    return f"[{host}]" if ":" in host else host


def run(command, stdin=b"", **environment):
    done = subprocess.run(
        [str(part) for part in command],
        input=stdin,
        capture_output=True,
        timeout=LIMIT,
        env={**Paraph.environment(), **environment},
    )
    return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")


def version(*command):
    """The first line of what a command says of itself; None when it is not here."""
    if not shutil.which(command[0]):
        return None
    return next(iter(run(command)[1].strip().splitlines()), "")


class Handed:
    """What a proxy hands out for its clients at the moment: a PEM file, and the same of its truststore for Java."""

    def __init__(self, paraph, folder):
        folder.mkdir(parents=True, exist_ok=True)
        self.pem, self.java, store = folder / "handed.pem", folder / "handed-for-java.pem", folder / "handed.p12"
        assert paraph.command("ca", "export", "--out", str(self.pem)) == (0, "")
        assert paraph.command("ca", "export", "--format", "pkcs12", "--out", str(store)) == (0, "")
        code, said = run(["openssl", "pkcs12", "-in", store, "-nokeys", "-passin", "pass:changeit", "-out", self.java])
        assert code == 0, said


class Trust:
    """What a client trusts: as a PEM file, and as a truststore that Java's own tool makes."""

    def __init__(self, folder, *handed):
        folder.mkdir(parents=True, exist_ok=True)
        self.pem = folder / "trusted.pem"
        self.pem.write_text("".join(getattr(one, "pem", one).read_text() for one in handed))
        self.store = folder / "trusted.p12"
        self.for_java = [getattr(one, "java", one) for one in handed]

    def pkcs12(self):
        for number, certificate in enumerate(self.for_java if not self.store.exists() else []):
            code, said = run(
                ["keytool", "-J-XX:TieredStopAtLevel=1", "-importcert", "-noprompt", "-alias", f"c{number}"]
                + ["-file", certificate, "-keystore", self.store, "-storetype", "PKCS12", "-storepass", "changeit"]
            )
            assert code == 0, said
        return self.store


class OpenSSL:
    name = "openssl"

    @staticmethod
    def version():
        return version("openssl", "version")

    @staticmethod
    def shake(port, host, trust):
        kind = ["-verify_ip", host, "-noservername"] if is_address(host) else ["-verify_hostname", host]
        kind += [] if is_address(host) else ["-servername", host]
        _, said = run(
            ["openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-CAfile", trust.pem, "-no-CApath", "-no-CAstore"]
            + ["-verify_return_error", *kind]
        )
        return "Verify return code: 0 (ok)" in said, said


class GnuTLS:
    name = "gnutls"

    @staticmethod
    def version():
        return version("gnutls-cli", "--version")

    @staticmethod
    def shake(port, host, trust):
        name = ["--disable-sni"] if is_address(host) else [f"--sni-hostname={host}"]
        code, said = run(
            ["gnutls-cli", f"--x509cafile={trust.pem}", f"--verify-hostname={host}", *name, f"--port={port}"]
            + ["127.0.0.1"]
        )
        return code == 0 and "Handshake was completed" in said, said


class Python:
    name = "python"

    @staticmethod
    def version():
        return ssl.OPENSSL_VERSION

    @staticmethod
    def shake(port, host, trust):
        context = ssl.create_default_context(cafile=str(trust.pem))
        try:
            with connect(f"127.0.0.1:{port}") as plain, context.wrap_socket(plain, server_hostname=host):
                return True, ""
        except ssl.SSLError as error:
            return False, str(error)


class Curl:
    name = "curl"

    @staticmethod
    def version():
        return version("curl", "--version")

    @staticmethod
    def shake(port, host, trust):
        code, said = run(
            ["curl", "-sS", "-o", "/dev/null", "--globoff", "--connect-to", f"::127.0.0.1:{port}"]
            + ["--cacert", trust.pem, "--capath", "/dev/null", f"https://{bracketed(host)}/"]
        )
        assert code in (0, 60), said
        return code == 0, said


class Node:
    name = "node"

    @staticmethod
    def version():
        return version("node", "-p", "`${process.version} ${process.versions.openssl}`")

    @staticmethod
    def shake(port, host, trust):
        _, said = run(["node", FOLDER / "handshake.mjs", port, host, trust.pem])
        assert said.startswith(("accepted", "refused")), said
        return said.startswith("accepted"), said


class Go:
    name = "go"

    @staticmethod
    def version():
        return version("go", "version")

    def __init__(self):
        self.program = None

    def shake(self, port, host, trust):
        if self.program is None:
            program = trust.pem.parent / "handshake"
            code, said = run(["go", "build", "-o", program, FOLDER / "handshake.go"], GOTOOLCHAIN="local")
            assert code == 0, said
            self.program = program
        _, said = run([self.program, port, host, trust.pem])
        assert said.startswith(("accepted", "refused")), said
        return said.startswith("accepted"), said


class Java:
    """One virtual machine for all handshakes."""

    name = "java"

    def __init__(self):
        self.machine = None

    @staticmethod
    def version():
        return java.available() and version("java", "-version")

    def shake(self, port, host, trust):
        if self.machine is None:
            self.machine = subprocess.Popen(
                java.command("Handshake"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=Paraph.environment(),
            )
        self.machine.stdin.write(f"{port}\t{host}\t{trust.pkcs12()}\n".encode())
        self.machine.stdin.flush()
        said = self.machine.stdout.readline().decode()
        assert said.startswith(("accepted", "refused")), said
        return said.startswith("accepted"), said

    def end(self):
        if self.machine is not None:
            self.machine.kill()
            self.machine.wait()
            self.machine = None


EVERY_LIBRARY = [OpenSSL(), GnuTLS(), Python(), Curl(), Node(), Go(), Java()]


class Listener:
    """A port of loopback; `serve(connection)` runs for each connection, on a thread of its own."""

    def __init__(self, serve):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.serve = serve
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.one, args=(connection,), daemon=True).start()

    def one(self, connection):
        try:
            with connection:
                self.serve(connection)
        except OSError:
            pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # A thread that waits in accept() does not notice close() alone.
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


def tunnel(proxy, authority):
    """A port whose connections are those of a CONNECT through the proxy: for clients that know no proxy."""

    def serve(connection):
        with connect(proxy) as other:
            other.sendall(f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\n".encode())
            head = read_head(Wire(other))
            assert head.start[1] == b"200", head.start
            threading.Thread(target=copy, args=(other, connection), daemon=True).start()
            copy(connection, other)

    return Listener(serve)


def copy(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def impostor(certificate_file):
    """A server with this certificate and key, for whoever believes in it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(str(certificate_file))

    def serve(connection):
        with context.wrap_socket(connection, server_side=True) as secure:
            if b"\r\n\r\n" in secure.recv(65536):
                secure.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    return Listener(serve)


def suites(said):
    """The names after "Cipher is" in what openssl s_client prints."""
    return re.findall(r"Cipher is ([A-Z0-9_-]+)", said)
