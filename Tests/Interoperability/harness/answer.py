"""A response as a client saw it, whichever client it was."""

import json
import re
from dataclasses import dataclass, field

from .applications import KNOWN_SECRETS, KNOWN_TOKENS

# RFC 9209, section 2.3: the registered proxy error types.
PROXY_ERRORS = """
dns_timeout dns_error destination_not_found destination_unavailable destination_ip_prohibited
destination_ip_unroutable connection_refused connection_terminated connection_timeout connection_read_timeout
connection_write_timeout connection_limit_reached tls_protocol_error tls_certificate_error tls_alert_received
http_request_error http_request_denied http_response_incomplete http_response_header_section_size
http_response_header_size http_response_body_size http_response_trailer_section_size http_response_trailer_size
http_response_transfer_coding http_response_content_coding http_response_timeout http_upgrade_failed
http_protocol_error proxy_internal_response proxy_internal_error proxy_configuration_error proxy_loop_detected
""".split()
PROXY_STATUS = re.compile(
    r'paraph; ?error=([a-z_]+)((?:; ?[a-z-]+=(?:[a-z0-9_]+|"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"))*)'
)
DIAGNOSIS = re.compile(r'paraph; ?received-status=([0-9]{3}); ?details="((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"')


@dataclass(repr=False)
class Answer:
    status: int
    fields: list
    body: bytes = b""
    trailers: list = field(default_factory=list)
    informational: list = field(default_factory=list)

    def __repr__(self):
        return f"{self.status} {self.fields} {self.body[:1000]!r} {self.trailers or ''} {self.informational or ''}"

    def values(self, name):
        return [v for n, v in self.fields if n.lower() == name.lower()]

    def value(self, name):
        return next(iter(self.values(name)), None)

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def from_the_proxy(self):
        """Whether the proxy made it; one that it forwards may have a Proxy-Status too, without `error`."""
        return any(re.match("paraph; ?error=", v) for v in self.values("proxy-status"))

    def check_secrets(self):
        """What the proxy says itself holds no secret and no token."""
        everything = repr(self.fields) if self.from_the_proxy else repr(self.values("proxy-status"))
        if self.from_the_proxy:
            everything += self.body.decode("latin-1")
        assert not KNOWN_SECRETS.found_in(everything) + KNOWN_TOKENS.found_in(everything), (
            f"the proxy's answer holds a secret: {everything}"
        )

    def diagnosis(self, status):
        """What the proxy says of a refusal that it forwards (RFC 9209)."""
        assert self.status == status, repr(self)
        found = [DIAGNOSIS.fullmatch(v) for v in self.values("proxy-status")]
        assert len(found) == 1 and found[0], f"no diagnosis: {self!r}"
        assert int(found[0].group(1)) == status
        self.check_secrets()
        return found[0].group(2)

    def verified(self):
        """What the provider said of the request, which has to be signed rightly."""
        assert self.status == 200, repr(self)
        assert self.value("x-verified") == "yes"
        description = self.json
        assert description["verified"] is True
        return description

    def problem(self, status, *errors):
        """The parts of an answer that the proxy made itself (RFC 9457, RFC 9209): its detail, and Proxy-Status's."""
        assert self.status == status, repr(self)
        assert self.value("content-type") == "application/problem+json"
        statuses = self.values("proxy-status")
        assert len(statuses) == 1, statuses
        found = PROXY_STATUS.fullmatch(statuses[0])
        assert found, f"not a Proxy-Status value: {statuses[0]!r}"
        assert found.group(1) in PROXY_ERRORS
        assert not errors or found.group(1) in errors, statuses[0]
        parts = self.json
        assert {"type", "title", "status", "detail"} <= set(parts), parts
        assert parts["status"] == status
        assert isinstance(parts["title"], str) and parts["title"]
        assert isinstance(parts["detail"], str) and len(parts["detail"]) > 15, parts
        self.check_secrets()
        return parts["detail"] + " " + found.group(2)
