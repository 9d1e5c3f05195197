"""Paraph and the proxies that it is compared with, each as one process on a core of its own."""

import base64
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import envoy
from laboratory import CONSUMER_KEY, CONSUMER_SECRET, H2_HOST, HERE, HOST, TOKEN, TOKEN_SECRET, command
from servers import PREAMBLE

# Reverse proxies send this with every request; it stands for a signature and costs none.
AUTHORIZATION = (
    f'OAuth oauth_consumer_key="{CONSUMER_KEY}", oauth_nonce="0123456789abcdef0123456789abcdef", '
    'oauth_signature="AAAAAAAAAAAAAAAAAAAAAAAAAAA%3D", oauth_signature_method="HMAC-SHA1", '
    f'oauth_timestamp="1700000000", oauth_token="{TOKEN}", oauth_version="1.0"'
)


class Peer:
    """A proxy. `is_forward`: clients send CONNECT; `trusted`: the file with the CA of its certificates."""

    name = ""
    program = ""
    is_forward = False
    trusted = "ca.pem"
    listens_plainly = True
    authority = f"{HOST}:443"
    speaks_http1 = True
    speaks_h2 = False
    # Whether it has answered all that is under way soon after a load generator stands still.
    is_quick = True
    # Measured unless other peers are asked for.
    is_usual = True
    environment = None

    def __init__(self, laboratory, upstream):
        self.laboratory, self.upstream = laboratory, upstream
        self.port, self.plain_port, self.h2_port = laboratory.free_ports(3)
        if self.is_forward:
            self.plain_port = self.port
        self.process = None

    @classmethod
    def is_there(cls):
        return bool(shutil.which(cls.program))

    def start(self):
        self.process = self.laboratory.start(
            self.name, 1, self.arguments(), self.port, env=self.environment and {**os.environ, **self.environment}
        )

    def restart(self):
        self.stop()
        self.start()

    def stop(self):
        if self.process:
            self.laboratory.stop(self.process)
        self.process = None

    def write(self, suffix, text):
        return self.laboratory.write(f"{self.name}{suffix}", text)

    def loadgen_arguments(self, *arguments, plainly=False):
        """With which the load generator asks this proxy."""
        where = ["-t", self.plain_port if plainly else self.port, "-n", HOST, "-p", self.process.pid]
        if not plainly:
            where += ["-a", self.laboratory.folder / self.trusted]
        if self.is_forward:
            where += ["-x"] if plainly else ["-X", self.authority]
        return [*where, *arguments]

    def loadgen(self, *arguments, plainly=False):
        return self.laboratory.loadgen(*self.loadgen_arguments(*arguments, plainly=plainly))


class Paraph(Peer):
    """`extra`: more of the configuration, for what else one measures."""

    name = "paraph"
    is_forward = True
    trusted = "paraph.ca.pem"
    speaks_h2 = True
    # Paraph writes an access log at the level info.
    level = "warning"

    @classmethod
    def is_there(cls):
        return True

    def arguments(self):
        folder, accounts = self.laboratory.folder, self.accounts("")
        oauth1 = f"{{consumer_key: {CONSUMER_KEY}, consumer_secret: {CONSUMER_SECRET}, signature_method: HMAC-SHA1}}"
        text = f"""
listen: {{proxy: "127.0.0.1:{self.port}", admin: off}}
state: {folder}/{self.name}.state
authority: {{certificate: {folder}/{self.name}.ca.pem, private_key: {folder}/{self.name}.ca.key}}
vault: {{{self.vault()}, key: {{file: {folder}/{self.name}.vault.key}}}}
log: {{level: {self.level}, format: json}}
apis:
"""
        for name, host, port in ("bench", HOST, self.upstream.port), ("h2", H2_HOST, self.upstream.h2_port):
            text += f"""  {name}:
    hosts: [{host}]
    connect_to: 127.0.0.1:{port}
    oauth1: {oauth1}
    tls: {{trust: [{folder}/ca.pem]}}
    accounts:
{accounts}"""
        path = self.write(".yaml", text + self.more_apis(oauth1))
        return [self.laboratory.paraph, "run", "--config", path]

    def vault(self):
        return f"directory: {self.laboratory.folder}/{self.name}.vault"

    def accounts(self, prefix):
        return f"      default: {{token: {TOKEN}, token_secret: {TOKEN_SECRET}}}\n"

    def more_apis(self, oauth1):
        return ""


class LoggingParaph(Paraph):
    """With an access log to a file."""

    is_usual = False
    name = "paraph-log"
    trusted = "paraph-log.ca.pem"
    level = "info"


class EarlierParaph(Paraph):
    """Another build: the program that `BEFORE` names."""

    is_usual = False
    name = "paraph-before"
    trusted = "paraph-before.ca.pem"

    @classmethod
    def is_there(cls):
        return "BEFORE" in os.environ

    def arguments(self):
        return [os.environ["BEFORE"], *super().arguments()[1:]]


class EtcdParaph(Paraph):
    """With its vault in etcd, on the load generator's core."""

    is_usual = False
    name = "paraph-etcd"
    trusted = "paraph-etcd.ca.pem"
    etcd_port = None

    @classmethod
    def is_there(cls):
        return bool(shutil.which("etcd"))

    def start(self):
        if not self.etcd_port:
            self.etcd_port, peer_port = self.laboratory.free_ports(2)
            own, peer = (f"http://127.0.0.1:{port}" for port in (self.etcd_port, peer_port))
            arguments = ["etcd", "--data-dir", self.laboratory.folder / f"{self.name}.data", "--log-level", "error"]
            arguments += ["--listen-client-urls", own, "--advertise-client-urls", own, "--listen-peer-urls", peer]
            arguments += ["--initial-advertise-peer-urls", peer, "--initial-cluster", f"default={peer}"]
            self.laboratory.start(f"{self.name}.etcd", 0, arguments, self.etcd_port)
            key = base64.b64encode(os.urandom(32)).decode()
            self.write(".vault.key", key).chmod(0o600)
        super().start()

    def vault(self):
        return f'etcd: {{endpoints: ["http://127.0.0.1:{self.etcd_port}"]}}'


class ManyParaph(Paraph):
    """With 1,000 APIs of ten accounts each."""

    is_usual = False
    name = "paraph-many"
    trusted = "paraph-many.ca.pem"

    def accounts(self, prefix):
        more = (f"      a{prefix}{number}: {{token: t{number}, token_secret: s{number}}}\n" for number in range(9))
        return super().accounts(prefix) + "".join(more)

    def more_apis(self, oauth1):
        return "".join(
            f"  api{number}:\n    hosts: [api{number}.example.org]\n    oauth1: {oauth1}\n    accounts:\n"
            + self.accounts(number)
            for number in range(998)
        )


class Nginx(Peer):
    name = "nginx"
    program = "nginx"
    log = "off"

    def arguments(self):
        folder = self.laboratory.folder
        text = PREAMBLE.replace("access_log off", f"access_log {self.log}").format(folder=folder, name=self.name)
        text += f"""
  upstream api {{
    server 127.0.0.1:{self.upstream.port}; keepalive 128; keepalive_requests 1000000000; keepalive_timeout 900s;
  }}
  server {{
    listen 127.0.0.1:{self.port} ssl backlog=4096; listen 127.0.0.1:{self.plain_port} backlog=4096;
    location / {{
      proxy_pass https://api; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host;
      proxy_set_header Authorization '{AUTHORIZATION}';
      proxy_ssl_verify on; proxy_ssl_trusted_certificate {folder}/ca.pem; proxy_ssl_name {HOST};
      proxy_ssl_server_name on; proxy_ssl_protocols TLSv1.3; proxy_request_buffering off; proxy_max_temp_file_size 0;
    }}
  }}
}}
"""
        return ["nginx", "-p", folder, "-c", self.write(".conf", text)]


class LoggingNginx(Nginx):
    is_usual = False
    name = "nginx-log"

    def __init__(self, laboratory, upstream):
        super().__init__(laboratory, upstream)
        self.log = f"{laboratory.folder}/nginx.access"


class Haproxy(Peer):
    name = "haproxy"
    program = "haproxy"

    def arguments(self):
        folder = self.laboratory.folder
        authorization = AUTHORIZATION.replace('"', '\\"').replace(" ", "\\ ").replace("%", "%%")
        text = f"""
global
  nbthread 1
  maxconn 4000
defaults
  mode http
  timeout connect 5s
  timeout client 900s
  timeout server 900s
frontend f
  bind 127.0.0.1:{self.port} ssl crt {folder}/server-both.pem alpn http/1.1
  bind 127.0.0.1:{self.plain_port}
  http-request set-header Authorization {authorization}
  default_backend b
backend b
  http-reuse always
  server up 127.0.0.1:{self.upstream.port} ssl verify required ca-file {folder}/ca.pem sni str({HOST}) """
        text += f"verifyhost {HOST} pool-max-conn 128\n"
        return ["haproxy", "-db", "-f", self.write(".cfg", text)]


class Nghttpx(Peer):
    """HTTP/2 on both sides; neither interception nor a signature."""

    name = "nghttpx"
    program = "nghttpx"
    speaks_http1 = False
    speaks_h2 = True

    def arguments(self):
        folder = self.laboratory.folder
        return [
            "nghttpx", f"--frontend=127.0.0.1,{self.port}", "--workers=1", "--single-process",
            f"--backend=127.0.0.1,{self.upstream.h2_port};;proto=h2;tls;sni={H2_HOST}", f"--cacert={folder}/ca.pem",
            f"--add-request-header=authorization: {AUTHORIZATION}", "--errorlog-file=/dev/null",
            folder / "server.key", folder / "server.pem",
        ]


class Envoy(Peer):
    """As a reverse proxy, too."""

    name = "envoy"
    program = "envoy"
    speaks_h2 = True

    def arguments(self):
        # JSON is YAML.
        path = self.write(".yaml", json.dumps(envoy.configuration(self, AUTHORIZATION)))
        return ["envoy", "-c", path, "--concurrency", "1", "-l", "error", "--disable-hot-restart"]


class Mitmproxy(Peer):
    """Intercepts and signs every request, with oauthlib."""

    name = "mitmproxy"
    program = "mitmdump"
    is_forward = True
    listens_plainly = False
    trusted = "mitmproxy/mitmproxy-ca-cert.pem"
    is_quick = False

    @classmethod
    def is_there(cls):
        if not super().is_there():
            return False
        python = Path(shutil.which("mitmdump")).resolve().parent / "python"
        imports = [python if python.exists() else sys.executable, "-c", "import oauthlib"]
        return not subprocess.run(imports, stderr=subprocess.DEVNULL).returncode

    def __init__(self, laboratory, upstream):
        super().__init__(laboratory, upstream)
        self.authority = f"127.0.0.1:{upstream.port}"
        self.environment = {"PYTHONDONTWRITEBYTECODE": "1"}

    def arguments(self):
        folder = self.laboratory.folder
        settings = {
            "confdir": folder / "mitmproxy", "ssl_verify_upstream_trusted_ca": folder / "ca.pem",
            "connection_strategy": "lazy", "stream_large_bodies": "1m",
        }
        sets = [part for name, value in settings.items() for part in ("--set", f"{name}={value}")]
        listen = ["--listen-host", "127.0.0.1", "--listen-port", self.port]
        return ["mitmdump", "-q", *listen, *sets, "-s", HERE / "peers" / "mitmproxy_sign.py"]


class Goproxy(Peer):
    """Intercepts and signs every request: a small program around the library of that name."""

    name = "goproxy"
    program = "go"
    is_forward = True

    @classmethod
    def is_there(cls):
        return super().is_there() and Path("/usr/share/gocode/src/github.com/elazarl/goproxy").exists()

    def arguments(self):
        folder = self.laboratory.folder
        binary = folder / "goproxy"
        if not binary.exists():
            source = HERE / "peers" / "goproxy.go"
            build = {"GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOCACHE": str(folder / "go"), "GOFLAGS": ""}
            command("go", "build", "-o", binary, source, env={**os.environ, **build})
        upstream = f"127.0.0.1:{self.upstream.port}"
        files = [folder / name for name in ("ca.pem", "server.pem", "server.key")]
        return [binary, f"127.0.0.1:{self.port}", upstream, *files]


ALL = [
    Paraph, EarlierParaph, LoggingParaph, EtcdParaph, ManyParaph, Nginx, LoggingNginx, Haproxy, Nghttpx, Envoy, Mitmproxy,
    Goproxy,
]
