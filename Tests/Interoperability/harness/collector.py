"""An OpenTelemetry collector that keeps what it is sent."""

import http.server
import threading

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)


class Collector:
    def __init__(self, status=200):
        self.status = status
        self.rejected = 0
        self.requests = []
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                collector.requests.append((self.path, self.headers["Content-Type"], body))
                self.send_response(collector.status)
                answer = ExportTraceServiceResponse()
                if collector.rejected:
                    answer.partial_success.rejected_spans = collector.rejected
                    answer.partial_success.error_message = "too old\nfor this"
                body = answer.SerializeToString()
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    @property
    def resource_spans(self):
        return [
            resource
            for _, _, body in list(self.requests)
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans
        ]

    @property
    def spans(self):
        return [
            span for resource in self.resource_spans for scope in resource.scope_spans for span in scope.spans
        ]


def attributes(message):
    """The attributes of a span or a resource, as Python's values."""
    return {entry.key: getattr(entry.value, entry.value.WhichOneof("value")) for entry in message.attributes}
