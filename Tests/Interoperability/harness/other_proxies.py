"""HTTP proxies of other makers, each on loopback with a port for clear text and one for TLS, and Basic credentials."""

import shutil
import socket
import subprocess
import tempfile
from contextlib import ExitStack
from pathlib import Path

from .ports import held_port
from .waiting import LIMIT, wait_until

APACHE_MODULES = Path("/usr/lib/apache2/modules")
SQUID_HELPER = Path("/usr/lib/squid/basic_ncsa_auth")


def answers(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=LIMIT).close()
        return True
    except OSError:
        return False


class OtherProxy:
    """A program that runs until `stop`. `ports` is by scheme."""

    schemes = ("http", "https")

    def __init__(self, chain, username, password):
        # Some give up root, and have to read what they are given all the same.
        self.folder = Path(tempfile.mkdtemp(prefix="other-proxy-"))
        self.folder.chmod(0o755)
        self.username, self.password = username, password
        self.held = ExitStack()
        self.ports = {scheme: self.held.enter_context(held_port()) for scheme in self.schemes}
        self.chain = self.folder / "chain.pem"
        self.chain.write_bytes(chain.file.read_bytes())
        words = ["openssl", "passwd", "-apr1", "-stdin"]
        hashed = subprocess.run(words, input=password, capture_output=True, text=True, check=True).stdout
        self.passwords = self.folder / "passwords"
        self.passwords.write_text(f"{username}:{hashed}")
        for file in (self.chain, self.passwords):
            file.chmod(0o644)
        self.log = self.folder / "log"
        self.process = subprocess.Popen(
            self.command(), stdin=subprocess.DEVNULL, stdout=self.log.open("wb"), stderr=subprocess.STDOUT
        )
        try:
            wait_until(lambda: self.process.poll() is not None or all(map(answers, self.ports.values())), "a listener")
            assert self.process.poll() is None, self.log.read_text()
        except BaseException:
            self.stop()
            raise

    @classmethod
    def available(cls):
        return all(shutil.which(name) for name in (cls.program, "openssl"))

    def write(self, name, text):
        file = self.folder / name
        file.write_text(text)
        return str(file)

    def settings(self, scheme, password=None):
        url = f"{scheme}://127.0.0.1:{self.ports[scheme]}"
        return {"url": url, "username": self.username, "password": password or self.password}

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.held.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Squid(OtherProxy):
    program = "squid"

    @classmethod
    def available(cls):
        if not super().available() or not SQUID_HELPER.exists():
            return False
        return "with-openssl" in subprocess.run([cls.program, "-v"], capture_output=True, text=True).stdout

    def command(self):
        text = f"""
            http_port 127.0.0.1:{self.ports["http"]}
            https_port 127.0.0.1:{self.ports["https"]} tls-cert={self.chain}
            auth_param basic program {SQUID_HELPER} {self.passwords}
            auth_param basic realm way out
            acl known proxy_auth REQUIRED
            http_access allow CONNECT known
            http_access deny all
            cache deny all
            access_log none
            cache_log /dev/null
            cache_store_log none
            pid_filename none
            coredump_dir /
            shutdown_lifetime 0 seconds
            pinger_enable off
            netdb_filename none
            cache_effective_user nobody
        """
        # Its shared memory has the name of the service: not that of another Squid on the machine.
        return [self.program, "-N", "-n", f"paraph{self.ports['http']}", "-f", self.write("squid.conf", text)]


class Apache(OtherProxy):
    program = "apache2"
    modules = ["mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_basic", "proxy", "ssl"]
    modules += ["proxy_connect"]

    @classmethod
    def available(cls):
        return super().available() and all((APACHE_MODULES / f"mod_{one}.so").exists() for one in cls.modules)

    def command(self):
        loads = "\n".join(f"LoadModule {one}_module {APACHE_MODULES}/mod_{one}.so" for one in self.modules)
        user = "User nobody\nGroup nogroup"
        text = f"""
{loads}
{user}
ServerName localhost
ServerRoot {self.folder}
PidFile {self.folder}/pid
ErrorLog /dev/null
Mutex sem
StartServers 1
Listen 127.0.0.1:{self.ports["http"]}
Listen 127.0.0.1:{self.ports["https"]}
ProxyRequests On
AllowCONNECT 1-65535
<Proxy "*">
    AuthType Basic
    AuthName "way out"
    AuthUserFile {self.passwords}
    Require valid-user
</Proxy>
<VirtualHost 127.0.0.1:{self.ports["https"]}>
    SSLEngine on
    SSLCertificateFile {self.chain}
</VirtualHost>
"""
        return [self.program, "-f", self.write("apache.conf", text), "-DFOREGROUND"]


class Tinyproxy(OtherProxy):
    program = "tinyproxy"
    schemes = ("http",)

    def command(self):
        text = f"""
            Port {self.ports["http"]}
            Listen 127.0.0.1
            Timeout 60
            MaxClients 100
            BasicAuth {self.username} {self.password}
        """
        return [self.program, "-d", "-c", self.write("tinyproxy.conf", text)]


EVERY_OTHER_PROXY = [Squid, Apache, Tinyproxy]
