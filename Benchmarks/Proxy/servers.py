"""The upstream, which answers signed requests only: nginx, with a small server behind it that takes uploads."""

import os
import socketserver
import threading

from laboratory import CONSUMER_KEY

ANSWER = '{"text":"' + "t" * 1013 + '"}'
TRANSFER_MIB = int(os.environ.get("TRANSFER_MIB", 100))
DOWNLOAD_SIZE = TRANSFER_MIB * 1024 * 1024

PREAMBLE = """
daemon off; master_process off; worker_processes 1; pid {folder}/{name}.pid; error_log {folder}/{name}.log warn;
worker_rlimit_nofile 16000;
events {{ worker_connections 8000; multi_accept on; }}
http {{
  access_log off; gzip off; tcp_nodelay on; default_type application/json; client_max_body_size 0;
  keepalive_timeout 900s; keepalive_requests 1000000000; http2_max_concurrent_streams 256;
  client_body_temp_path {folder}/{name}.b; proxy_temp_path {folder}/{name}.p; fastcgi_temp_path {folder}/{name}.f;
  uwsgi_temp_path {folder}/{name}.u; scgi_temp_path {folder}/{name}.s;
  ssl_certificate {folder}/server.pem; ssl_certificate_key {folder}/server.key; ssl_protocols TLSv1.3;
"""

UPSTREAM = """
  upstream uploads {{ server 127.0.0.1:{uploads}; keepalive 8; }}
  server {{
    listen 127.0.0.1:{port} ssl backlog=4096;
    listen 127.0.0.1:{h2} ssl http2 backlog=4096;
    if ($http_authorization !~ '^OAuth .*oauth_consumer_key="{key}", .*oauth_signature="[^"]') {{ return 401; }}
    location /upload {{
      proxy_pass http://uploads; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_request_buffering off;
    }}
    location /download {{ root {folder}; }}
    location / {{ return 200 '{answer}'; }}
  }}
}}
"""


class Upload(socketserver.StreamRequestHandler):
    """Reads a body of a known length and answers."""

    def handle(self):
        data = bytearray(1 << 20)
        while line := self.rfile.readline():
            if line.lower().startswith(b"content-length:"):
                left = int(line.split(b":")[1])
            if line != b"\r\n":
                continue
            while left > 0:
                left -= self.rfile.readinto(memoryview(data)[: min(left, len(data))]) or left
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")


class Uploads(socketserver.ThreadingTCPServer):
    daemon_threads = True


class Upstream:
    def __init__(self, laboratory):
        self.port, self.h2_port, self.uploads = laboratory.free_ports(3)
        server = Uploads(("127.0.0.1", self.uploads), Upload)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        folder = laboratory.folder
        with open(folder / "download", "wb") as file:
            file.truncate(DOWNLOAD_SIZE)
        names = {"folder": folder, "name": "upstream"}
        text = PREAMBLE + UPSTREAM
        values = {"port": self.port, "h2": self.h2_port, "uploads": self.uploads, "key": CONSUMER_KEY}
        path = laboratory.write("upstream.conf", text.format(answer=ANSWER, **names, **values))
        laboratory.start("upstream", 0, ["nginx", "-p", folder, "-c", path], self.port)
