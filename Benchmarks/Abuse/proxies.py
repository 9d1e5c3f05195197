"""Paraph, and the proxies beside it that can be asked the same, with the limits that an attack is about."""

import dataclasses
import os

from laboratory import CONSUMER_KEY, CONSUMER_SECRET, H2_HOST, HOST, TOKEN, TOKEN_SECRET, Laboratory
from peers import AUTHORIZATION, Peer
from servers import PREAMBLE
from target import Target
from upstream import WIDE_HOST, Upstream

PASSWORDS = {"attacker": "guess-me-not", "honest": "right-password"}
PARENT = H2_HOST.partition(".")[2]
GUEST_PASSWORD = "welcome"
RESOLVER = "127.0.0.253"  # where nobody answers, while names are the attack


@dataclasses.dataclass(frozen=True)
class Setting:
    """How the proxy is set up, for one attack.

    `connections`: how many clients may be connected; `files`: how many files may be open; `is_log_unread`: the access
    log goes to a pipe that nobody reads; `is_listed`: clients have a name and a password; `guests`: as many more have;
    `is_resolver_silent`: no server of names answers, and the honest client's API has its address in the file of hosts;
    `is_wildcard`: that API then has all hosts beside it too; `is_enrolling`: accounts can be enrolled.
    """

    connections: int | None = None
    files: int | None = None
    is_log_unread: bool = False
    is_listed: bool = False
    guests: int = 0
    is_resolver_silent: bool = False
    is_wildcard: bool = False
    is_enrolling: bool = False


def guest(number: int) -> str:
    return f"guest-{number}"


class Attacked(Peer):
    """A proxy that is started anew for each attack. `command_line` is what an heir starts."""

    setting = Setting()

    def __init__(self, laboratory: Laboratory, upstream: Upstream) -> None:
        super().__init__(laboratory, upstream)
        self.admin_port = 0
        self.unread: tuple[int, int] | None = None

    def arguments(self) -> list:
        words = list(map(str, self.command_line()))
        if files := self.setting.files:
            words = ["prlimit", f"--nofile={files}:{files}", *words]
        if self.setting.is_log_unread:
            words = ["sh", "-c", 'exec "$0" "$@" 2>&"$UNREAD"', *words]
        if self.setting.is_resolver_silent:
            names = self.write(".resolv", f"nameserver {RESOLVER}\n")
            hosts = self.write(".hosts", f"127.0.0.1 localhost {H2_HOST}\n")
            mounts = f"mount --bind {names} /etc/resolv.conf && mount --bind {hosts} /etc/hosts"
            words = ["unshare", "-m", "sh", "-c", f'{mounts} && exec "$0" "$@"', *words]
        return words

    def start(self) -> None:
        # Those of before may have been given to a client since then.
        self.port, self.plain_port, self.admin_port = self.laboratory.free_ports(3)
        if self.is_forward:
            self.plain_port = self.port
        options = {}
        if self.setting.is_log_unread:
            self.unread = os.pipe()
            options = {"pass_fds": self.unread[1:], "env": {**os.environ, "UNREAD": str(self.unread[1])}}
        self.process = self.laboratory.start(self.name, 1, self.arguments(), self.port, **options)
        if self.unread:
            os.close(self.unread[1])

    def stop(self) -> None:
        """What it has to say at its end is not read either."""
        super().stop()
        if self.unread:
            os.close(self.unread[0])
        self.unread = None

    def target(self, host: str, credentials: str = "") -> Target:
        is_named = self.is_forward and self.setting.is_resolver_silent and host == H2_HOST
        return Target(
            name=self.name, is_forward=self.is_forward, port=self.port, plain_port=self.plain_port,
            trusted=self.laboratory.folder / self.trusted, host=host,
            host_port=self.upstream.port if is_named else 443,
            tunnel_authority=f"127.0.0.1:{self.upstream.plain_port}",
            wildcard=f"{PARENT}:{self.upstream.port}", admin_port=self.admin_port,
            credentials=credentials if self.is_forward and self.setting.is_listed else "",
        )  # fmt: skip


class Paraph(Attacked):
    """Three APIs: one that is attacked, one for the honest client, and one whose server's certificates are large."""

    name = "paraph"
    is_forward = True
    trusted = "paraph.ca.pem"

    @classmethod
    def is_there(cls) -> bool:
        return True

    def command_line(self) -> list:
        folder, setting = self.laboratory.folder, self.setting
        words = PASSWORDS | {guest(number): GUEST_PASSWORD for number in range(setting.guests)}
        clients = "".join(f"    - {{name: {name}, password: {word}}}\n" for name, word in words.items())
        text = f"""
listen: {{proxy: "127.0.0.1:{self.port}", admin: "127.0.0.1:{self.admin_port}"}}
state: {folder}/paraph.state
authority: {{certificate: {folder}/paraph.ca.pem, private_key: {folder}/paraph.ca.key}}
vault: {{directory: {folder}/paraph.vault, key: {{file: {folder}/paraph.vault.key}}}}
log: {{level: {"info" if setting.is_log_unread else "warning"}, format: json}}
limits: {{connections: {setting.connections or 10000}}}
access:
  connect_ports: [443, 80, {self.upstream.plain_port}]
  allowed_networks: [127.0.0.0/8]
{"  clients:" if setting.is_listed else ""}
{clients if setting.is_listed else ""}
apis:
{self.api("attacked", HOST)}{self.api("honest", H2_HOST)}{self.api("wide", WIDE_HOST, self.upstream.wide_port)}"""
        if setting.is_enrolling:
            text += f"""enrolment:
  access_types:
    2: {{api: attacked, verify_url: "https://{HOST}/verify", id: id_str}}
"""
        return [self.laboratory.paraph, "run", "--config", self.write(".yaml", text)]

    def api(self, name: str, host: str, other_port: int = 0) -> str:
        port = other_port or self.upstream.port
        where = f"hosts: [{host}]\n    connect_to: 127.0.0.1:{port}"
        if self.setting.is_resolver_silent and host == H2_HOST:
            where = f'hosts: ["{f"*.{PARENT}" if self.setting.is_wildcard else host}:{port}"]'
        return f"""  {name}:
    {where}
    oauth1: {{consumer_key: {CONSUMER_KEY}, consumer_secret: {CONSUMER_SECRET}, signature_method: HMAC-SHA1}}
    tls: {{trust: [{self.laboratory.folder}/ca.pem]}}
    accounts: {{default: {{token: {TOKEN}, token_secret: {TOKEN_SECRET}}}}}
"""


class Nginx(Attacked):
    """Ends TLS, by HTTP/2 as well, and starts it again with a fixed field. Heads may be as large as Paraph's."""

    name = "nginx"
    program = "nginx"

    def command_line(self) -> list:
        folder, setting = self.laboratory.folder, self.setting
        text = PREAMBLE.format(folder=folder, name=self.name)
        text = text.replace("http2_max_concurrent_streams 256", "http2_max_concurrent_streams 100")
        if setting.is_log_unread:
            text = text.replace("access_log off", "access_log /dev/stderr")
        if setting.files:
            text = text.replace("worker_rlimit_nofile 16000", f"worker_rlimit_nofile {setting.files}")
        if setting.connections:
            # Both sides of each client, and what listens.
            text = text.replace("worker_connections 8000", f"worker_connections {2 * setting.connections + 4}")
        text += f"""
  large_client_header_buffers 4 64k; client_header_timeout 30s;
  upstream api {{
    server 127.0.0.1:{self.upstream.port}; keepalive 64; keepalive_requests 1000000000; keepalive_timeout 300s;
  }}
  server {{
    listen 127.0.0.1:{self.port} ssl http2 backlog=4096; listen 127.0.0.1:{self.plain_port} backlog=4096;
    proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host;
    proxy_set_header Authorization '{AUTHORIZATION}';
    proxy_ssl_verify on; proxy_ssl_trusted_certificate {folder}/ca.pem; proxy_ssl_verify_depth 5;
    proxy_ssl_server_name on; proxy_ssl_protocols TLSv1.3; proxy_request_buffering off; proxy_max_temp_file_size 0;
    location / {{ proxy_pass https://api; proxy_ssl_name {HOST}; }}
    location /wide {{ proxy_pass https://127.0.0.1:{self.upstream.wide_port}; proxy_ssl_name {WIDE_HOST}; }}
  }}
}}
"""
        return ["nginx", "-p", folder, "-c", self.write(".conf", text)]


class Haproxy(Attacked):
    """The same."""

    name = "haproxy"
    program = "haproxy"

    def command_line(self) -> list:
        folder, setting = self.laboratory.folder, self.setting
        authorization = AUTHORIZATION.replace('"', '\\"').replace(" ", "\\ ").replace("%", "%%")
        # Without maxconn haproxy has as many as it may have files for.
        most = f"maxconn {setting.connections or 4000}" if not setting.files else ""
        log = "log stderr format raw local0\n  option httplog" if setting.is_log_unread else ""
        text = f"""
global
  nbthread 1
  {most}
  tune.h2.max-concurrent-streams 100
  tune.bufsize 81920
  tune.http.maxhdr 400
defaults
  mode http
  {log}
  timeout connect 10s
  timeout http-request 30s
  timeout client 300s
  timeout server 300s
frontend f
  bind 127.0.0.1:{self.port} ssl crt {folder}/server-both.pem alpn h2,http/1.1
  bind 127.0.0.1:{self.plain_port}
  http-request set-header Authorization {authorization}
  use_backend wide if {{ path_beg /wide }}
  default_backend b
backend wide
  server up 127.0.0.1:{self.upstream.wide_port} ssl verify required ca-file {folder}/ca.pem sni str({WIDE_HOST}) """
        text += f"""verifyhost {WIDE_HOST}
backend b
  http-reuse always
  server up 127.0.0.1:{self.upstream.port} ssl verify required ca-file {folder}/ca.pem sni str({HOST}) """
        text += f"verifyhost {HOST} pool-max-conn 64\n"
        return ["haproxy", "-db", "-f", self.write(".cfg", text)]


ALL = [Paraph, Haproxy, Nginx]
