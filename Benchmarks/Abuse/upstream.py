"""The upstream: nginx, which answers signed requests only, and waits for whole bodies, or for ever, where asked to."""

import socket

from laboratory import CONSUMER_KEY, Laboratory
from servers import ANSWER, PREAMBLE

DOWNLOADS = {"download": 100 << 20, "small-download": 2 << 20}

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
    location /new {{ keepalive_timeout 0; return 200 '{answer}'; }}
    location / {{ return 200 '{answer}'; }}
  }}
}}
"""


class Upstream:
    """`/body` is answered when the whole body is there, `/silent` never, `/download` with 100 MiB,
    `/small-download` with 2, and the rest with 1 KiB; after `/new` the connection is closed."""

    def __init__(self, laboratory: Laboratory) -> None:
        self.port, self.plain_port = laboratory.free_ports(2)
        self.silent = socket.create_server(("127.0.0.1", 0), backlog=4096)  # nobody accepts
        folder = laboratory.folder
        for name, size in DOWNLOADS.items():
            with open(folder / name, "wb") as file:
                file.truncate(size)
        names = {"folder": folder, "name": "upstream", "port": self.port, "plain": self.plain_port}
        values = {"silent": self.silent.getsockname()[1], "answer": ANSWER, "key": CONSUMER_KEY}
        path = laboratory.write("upstream.conf", (PREAMBLE + CONFIGURATION).format(**names, **values))
        laboratory.start("upstream", 0, ["nginx", "-p", folder, "-c", path], self.port)
