"""The upstream: nginx, which answers signed requests only, and waits for whole bodies, or for ever, where asked to."""

import socket
import subprocess

from laboratory import CONSUMER_KEY, H2_HOST, Laboratory, command
from servers import ANSWER, PREAMBLE

WIDE_HOST = f"wide.{H2_HOST.partition('.')[2]}"
WIDTH = 2000  # names of its certificate, and constraints of that one's issuer
DOWNLOADS = {"download": 100 << 20, "small-download": 2 << 20, "tiny-download": 300_000}

CONFIGURATION = """
  large_client_header_buffers 4 128k; client_body_buffer_size 64k; proxy_read_timeout 900s; client_body_timeout 900s;
  client_header_timeout 900s; send_timeout 900s;
  server {{ listen 127.0.0.1:{plain}; return 200 '{answer}'; }}
  server {{
    listen 127.0.0.1:{port} ssl backlog=4096;
    if ($http_authorization !~ '^OAuth .*oauth_consumer_key="{key}", .*oauth_signature="[^"]') {{ return 401; }}
    location /body {{ proxy_pass http://127.0.0.1:{plain}; }}
    location /silent {{ proxy_pass http://127.0.0.1:{silent}; }}
    location /download {{ root {folder}; }}
    location /small-download {{ root {folder}; }}
    location /tiny-download {{ root {folder}; }}
    location /new {{ keepalive_timeout 0; return 200 '{answer}'; }}
    location / {{ return 200 '{answer}'; }}
  }}
  server {{
    listen 127.0.0.1:{wide} ssl backlog=4096;
    ssl_certificate {folder}/wide-chain.pem; ssl_certificate_key {folder}/wide.key;
    return 200 '{answer}';
  }}
}}
"""


def make_wide_chain(laboratory: Laboratory) -> None:
    """A certificate with thousands of names below an authority with thousands of constraints."""
    names = "".join(f"DNS.{number} = n{number}.{WIDE_HOST}\n" for number in range(1, WIDTH))
    excluded = "".join(f"excluded;DNS.{number} = x{number}.invalid\n" for number in range(WIDTH))
    new = ["openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    for name, issuer, extensions in (
        ("wide-ca", "ca", f"basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n"
         f"nameConstraints=critical,@constraints\n[constraints]\n{excluded}"),
        ("wide", "wide-ca", f"keyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\n"
         f"subjectAltName=@names\n[names]\nDNS.0 = {WIDE_HOST}\n{names}"),
    ):  # fmt: skip
        laboratory.write(f"{name}.cnf", extensions)
        request = [*new, "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.csr"]
        sign = ["openssl", "x509", "-req", "-days", "2", "-in", f"{name}.csr", "-CA", f"{issuer}.pem"]
        sign += ["-CAkey", f"{issuer}.key", "-CAcreateserial", "-extfile", f"{name}.cnf", "-out", f"{name}.pem"]
        for arguments in (request, sign):
            command(*arguments, cwd=laboratory.folder, stderr=subprocess.DEVNULL)
    chain = [(laboratory.folder / name).read_text() for name in ("wide.pem", "wide-ca.pem")]
    laboratory.write("wide-chain.pem", "".join(chain))


class Upstream:
    """`/body` is answered when the whole body is there, `/silent` never, `/download` with 100 MiB, `/small-download` with
    2, `/tiny-download` with 300,000 bytes, and the rest with 1 KiB; after `/new` the connection is closed. Another server
    shows a certificate with many names, and answers anything."""

    def __init__(self, laboratory: Laboratory) -> None:
        self.port, self.plain_port, self.wide_port = laboratory.free_ports(3)
        self.silent = socket.create_server(("127.0.0.1", 0), backlog=4096)  # nobody accepts
        folder = laboratory.folder
        for name, size in DOWNLOADS.items():
            with open(folder / name, "wb") as file:
                file.truncate(size)
        names = {"folder": folder, "name": "upstream", "port": self.port, "plain": self.plain_port}
        names["wide"] = self.wide_port
        make_wide_chain(laboratory)
        values = {"silent": self.silent.getsockname()[1], "answer": ANSWER, "key": CONSUMER_KEY}
        path = laboratory.write("upstream.conf", (PREAMBLE + CONFIGURATION).format(**names, **values))
        laboratory.start("upstream", 0, ["nginx", "-p", folder, "-c", path], self.port)
