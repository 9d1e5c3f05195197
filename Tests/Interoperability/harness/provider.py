"""An OAuth 1.0a provider over TLS that sees every byte, verifies every request, and can be told to misbehave."""

import itertools
import json
import re
import socket
import ssl
import threading
import time

from . import rfc5849
from .applications import Application, Failure, ReverseAuth
from .call import Call, Hangup, Record
from .http1 import Closed, ProtocolError, read_head
from .listener import Listener, ListenersWire, server_context
from .verification import Refused
from .waiting import LIMIT

# Of these nothing may pass the proxy (RFC 9110, section 7.6.1, and the proxy's own field).
HOP_BY_HOP = {
    b"proxy-authorization",
    b"proxy-connection",
    b"keep-alive",
    b"paraph-account",
    b"http2-settings",
    b"x-nominated",
}


class Provider:
    def __init__(self, certificates):
        self.certificates = certificates
        self.applications = {}
        self.routes = {}
        self.own_paths = set()
        self.records = []
        self.violations = []
        self.nonces = set()
        self.changed = threading.Condition()
        self.listeners = []
        self.numbers = itertools.count(1)
        self.clock_ahead = 0

    def now(self):
        """By the provider's own clock, which `clock_ahead` seconds make wrong."""
        return time.time() + self.clock_ahead

    # Credentials

    def new_application(self, **options):
        application = Application(**options)
        self.applications[application.key] = application
        return application

    def application(self, key):
        if key not in self.applications:
            raise Refused("consumer_key_unknown", key)
        return self.applications[key]

    def remember_nonce(self, parameters):
        mark = tuple(parameters.get(n) for n in ("oauth_consumer_key", "oauth_token", "oauth_timestamp", "oauth_nonce"))
        with self.changed:
            if mark in self.nonces:
                raise Refused("nonce_used", parameters["oauth_nonce"])
            self.nonces.add(mark)

    # Behaviour

    def route(self, handler):
        """A fresh path that `handler(call)` answers (and every path under it)."""
        path = f"/r{next(self.numbers)}"
        self.routes[path.encode()] = handler
        return path

    def exchange_route(self, handler):
        """A fresh path for requests of the proxy's own, such as an exchange's, which were not forwarded."""
        path = f"/oauth/r{next(self.numbers)}"
        self.routes[path.encode()] = handler
        return path

    def route_at(self, path, handler):
        """Just that path, where it is not the test's to choose. The proxy may also come there by itself."""
        self.routes[path.encode()] = handler
        self.own_paths.add(path.encode())

    def handler(self, target):
        path = target.split(b"?")[0]
        if path in self.own_paths:
            return self.routes[path]
        if path.startswith(b"/oauth/r") and (found := self.routes.get(b"/".join(path.split(b"/")[:3]))):
            return found
        if path == b"/oauth/request_token":
            return self.first_step
        if path == b"/oauth/access_token":
            return self.second_step
        return self.routes.get(b"/" + path[1:].split(b"/")[0], Call.answer)

    def first_step(self, call):
        verdict = call.verify()
        self.exchange(call, verdict and verdict.application, ReverseAuth.first)

    def second_step(self, call):
        call.read_body()
        target = dict(rfc5849.form_pairs(call.record.body)).get(b"x_reverse_auth_target", b"").decode()
        call.verify()
        self.exchange(call, self.applications.get(target), ReverseAuth.second)

    def exchange(self, call, application, step):
        verdict = call.record.verdict
        if call.record.problem == "timestamp_refused":
            errors = {"errors": [{"code": 135, "message": "Timestamp out of bounds."}]}
            call.respond(401, [("Content-Type", "application/json")], json.dumps(errors))
            return
        if not verdict or not application:
            call.respond(401, [("Content-Type", "text/html")], "Failed to validate oauth signature and token")
            return
        reverse_auth = application.reverse_auth
        outcome = step(reverse_auth, verdict, rfc5849.form_pairs(call.record.body))
        if callable(reverse_auth.before_answer):
            reverse_auth.before_answer(step, call)
        if isinstance(outcome, Failure):
            call.respond(outcome.status, [("Content-Type", outcome.content_type)], outcome.text)
        else:
            call.respond(200, [("Content-Type", "text/html; charset=utf-8")], outcome)
        if callable(reverse_auth.after_answer):
            reverse_auth.after_answer(step)

    # Serving

    def listen(
        self, chain, family=socket.AF_INET, through_proxy=True, maximum_version=None, client_roots=None, http2=None
    ):
        """`client_roots` is a PEM file: without a certificate that one of them signed nobody is served."""
        context = None
        if chain is not None:
            context = server_context(chain, http2)
            if maximum_version:
                context.maximum_version = maximum_version
            if client_roots:
                context.verify_mode = ssl.CERT_REQUIRED
                context.load_verify_locations(client_roots)
        server = socket.socket(family, socket.SOCK_STREAM)
        server.bind(("::1" if family == socket.AF_INET6 else "127.0.0.1", 0))
        server.listen(512)
        listener = Listener(server, context, through_proxy, http2=http2)
        self.listeners.append(listener)
        threading.Thread(target=self.accept, args=(listener,), daemon=True).start()
        return listener

    def accept(self, listener):
        while True:
            try:
                connection, _ = listener.socket.accept()
            except OSError:
                return
            listener.connections += 1
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            is_changed = listener.changed_context is not None and listener.connections > listener.unchanged
            threading.Thread(target=self.serve, args=(listener, connection, is_changed), daemon=True).start()

    def serve(self, listener, connection, is_changed):
        try:
            if listener.context:
                context = listener.changed_context if is_changed else listener.context
                connection = context.wrap_socket(connection, server_side=True)
                if shown := connection.getpeercert():
                    listener.client_names.append(dict(part[0] for part in shown["subject"])["commonName"])
                if connection.selected_alpn_protocol() == "h2":
                    listener.http2(self, listener, connection, is_changed).serve()
                    return
            wire = ListenersWire(connection, listener, is_changed)
            while self.serve_one(listener, wire):
                pass
        except (ssl.SSLError, OSError, Closed):
            pass
        except ProtocolError as error:
            self.violation(f"{error}")
            try:
                connection.sendall(b"HTTP/1.1 400 Bad\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            except OSError:
                pass
        finally:
            self.linger(connection, listener.context is not None)

    @staticmethod
    def linger(connection, is_tls):
        """Closes as a good server does: says so, then reads on, so that what it answered is not lost to a reset."""
        try:
            connection.settimeout(LIMIT)
            if is_tls:
                connection.unwrap()
        except (OSError, ValueError):
            pass
        try:
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(1 << 18):
                pass
        except (OSError, ValueError):
            pass
        connection.close()

    def serve_one(self, listener, wire):
        head = read_head(wire)
        if head is None:
            listener.ended += 1
            return False
        listener.requests += 1
        with self.changed:
            record = Record(len(self.records), head.start[0].decode("latin-1"), fields=head.fields)
            self.records.append(record)
        if len(head.start) != 3 or head.start[2] != b"HTTP/1.1":
            raise ProtocolError(f"bad request line {head.start!r}")
        record.target = head.start[1]
        if not re.match(rb"/|\*\Z", record.target):
            raise ProtocolError(f"a target that is not in origin form: {head.start!r}")
        if listener.through_proxy:
            self.check_fields(head)
        with self.changed:
            self.changed.notify_all()
        call = Call(self, listener, wire, head, record)
        try:
            self.handler(record.target)(call)
            if not call.close and not call.body_was_read:
                call.read_body()
        except Hangup:
            return False
        except AssertionError as error:
            self.violation(f"{error} for {head.raw!r}")
            return False
        finally:
            with self.changed:
                self.changed.notify_all()
        return not call.close

    def check_fields(self, head):
        for name, _ in head.fields:
            if name.lower() in HOP_BY_HOP:
                self.violation(f"{name.decode()} passed the proxy")
        first_line = head.raw.split(b"\r\n")[0]
        if len(head.values(b"host")) != 1:
            self.violation(f"{len(head.values(b'host'))} Host fields in {first_line!r}")
        if len(head.values(b"authorization")) > 1:
            self.violation(f"{len(head.values(b'authorization'))} Authorization fields in {first_line!r}")
        # The requests of exchanges are the proxy's own, and so is the one by which `paraph doctor` asks for the time:
        # nothing was forwarded.
        asks_time = head.start[1] == b"/" and head.values(b"user-agent") == [b"paraph"]
        own = asks_time or head.start[1].startswith(b"/oauth/") or head.start[1].split(b"?")[0] in self.own_paths
        if not own and not re.fullmatch(rb"(HTTP/)?[0-9.]+ [^ ,]+.*", b", ".join(head.values(b"via"))):
            self.violation(f"Via: {head.values(b'via')!r} in {first_line!r}")
        options = {o.strip().lower() for v in head.values(b"connection") for o in v.split(b",")}
        if not options <= {b"close", b"keep-alive", b"te", b"upgrade"}:
            self.violation(f"Connection: {options} passed the proxy")

    def violation(self, text):
        with self.changed:
            self.violations.append(text)

    # Waiting

    def wait(self, condition, what="the provider"):
        """Waits until `condition()` is true, looking again whenever something was received or answered."""
        deadline = time.monotonic() + LIMIT
        with self.changed:
            while not condition():
                left = deadline - time.monotonic()
                assert left > 0, f"waited {LIMIT} s for {what}"
                self.changed.wait(min(left, 0.05))

    def requests_for(self, path):
        """The records of one path, in the order in which they came."""
        with self.changed:
            return [r for r in self.records if r.target.split(b"?")[0].startswith(path.encode())]
