"""Trace context passes as it came, and with `tracing` spans of requests reach an OpenTelemetry collector."""

import functools
import http.server
import json
import re
import threading

import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from harness.collector import Collector, attributes
from harness.ports import held_port
from harness.raw import ask
from harness.waiting import wait_until

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


def context(flags="01"):
    return [("traceparent", f"00-{TRACE}-{PARENT}-{flags}"), ("tracestate", "vendor=value,other=1")]


@pytest.fixture
def collector():
    collector = Collector()
    yield collector
    collector.close()


def field(seen, name):
    """The value of a field as the server received it."""
    return dict((name.lower(), value) for name, value in seen["fields"])[name]


def named(spans, name):
    return [span for span in spans if span.name == name]


def test_spans_of_a_request_and_its_parts_reach_the_collector(world, launch, collector):
    paraph = launch(world.configuration(tracing={"otlp": collector.url}))
    seen = ask(paraph, f"{world.URL}/x?secret=no", fields=context()).verified()
    assert field(seen, "traceparent") == f"00-{TRACE}-{PARENT}-01", "it passes as it came"
    assert field(seen, "tracestate") == "vendor=value,other=1"
    spans = wait_until(lambda: len(collector.spans) >= 3 and collector.spans, "the spans of a request")
    path, content_type, _ = collector.requests[0]
    assert (path, content_type) == ("/v1/traces", "application/x-protobuf")
    (request,), (connect,), (upstream,) = (named(spans, name) for name in ("GET", "connect", "upstream"))
    assert request.trace_id.hex() == TRACE and request.parent_span_id.hex() == PARENT
    assert request.trace_state == "vendor=value,other=1"
    assert request.kind == Span.SPAN_KIND_SERVER and upstream.kind == Span.SPAN_KIND_CLIENT
    for child in (connect, upstream):
        assert child.trace_id == request.trace_id and child.parent_span_id == request.span_id
        assert request.start_time_unix_nano <= child.start_time_unix_nano
        assert child.start_time_unix_nano <= child.end_time_unix_nano <= request.end_time_unix_nano
    facts = attributes(request)
    assert facts["http.request.method"] == "GET" and facts["url.path"] == "/x" and facts["paraph.api"] == "main"
    assert facts["url.scheme"] == "https"
    for span in (request, connect, upstream):
        server = attributes(span)
        assert (server["server.address"], server["server.port"]) == (world.HOST, 443)
    facts_upstream = attributes(upstream)
    assert facts_upstream["http.request.method"] == "GET" and facts_upstream["http.response.status_code"] == 200
    assert facts_upstream["url.full"] == f"{world.URL}/x"
    assert facts["http.response.status_code"] == 200
    assert attributes(connect)["paraph.connect.tls_us"] > 0
    assert request.status.code == Status.STATUS_CODE_UNSET
    assert attributes(collector.resource_spans[0].resource)["service.name"] == "paraph"
    assert b"secret" not in b"".join(body for _, _, body in collector.requests), "a query may hold secrets"


def test_a_method_that_nobody_knows_has_a_bounded_name(world, launch, collector):
    paraph = launch(world.configuration(tracing={"otlp": collector.url}))
    ask(paraph, f"{world.URL}/x", method="BREW")
    spans = wait_until(lambda: len(collector.spans) >= 3 and collector.spans, "the spans of a request")
    (request,) = named(spans, "HTTP")
    for span in (request, *named(spans, "upstream")):
        facts = attributes(span)
        assert (facts["http.request.method"], facts["http.request.method_original"]) == ("_OTHER", "BREW")


def test_a_connection_that_fails_has_a_span_that_says_so(world, launch, collector):
    with held_port() as port:
        apis = {"main": {**world.api(), "connect_to": f"127.0.0.1:{port}"}}
        paraph = launch(world.configuration(apis, tracing={"otlp": collector.url}))
        assert ask(paraph, f"{world.URL}/x").status == 502
        spans = wait_until(lambda: len(collector.spans) >= 2 and collector.spans, "the spans of a request")
    (connect,) = named(spans, "connect")
    assert connect.status.code == Status.STATUS_CODE_ERROR
    assert attributes(connect)["error.type"] == "connection_refused"
    assert "paraph.connect.tcp_us" in attributes(connect) and "paraph.connect.tls_us" not in attributes(connect)
    assert not named(spans, "upstream")


@pytest.fixture
def refusing(tmp_path):
    """A server of no API that has no file."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=tmp_path))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def test_an_answer_that_is_an_error_is_one_of_the_upstream_span_alone(world, launch, collector, refusing):
    access = {"connect_ports": [refusing], "allowed_networks": ["127.0.0.0/8"]}
    paraph = launch(world.configuration(access=access, tracing={"otlp": collector.url}))
    assert ask(paraph, f"http://127.0.0.1:{refusing}/nowhere").status == 404
    spans = wait_until(lambda: len(collector.spans) >= 3 and collector.spans, "the spans of a request")
    (request,), (upstream,) = named(spans, "GET"), named(spans, "upstream")
    assert request.status.code == Status.STATUS_CODE_UNSET and attributes(request)["url.scheme"] == "http"
    assert upstream.status.code == Status.STATUS_CODE_ERROR and attributes(upstream)["error.type"] == "404"
    assert attributes(upstream)["url.full"] == f"http://127.0.0.1:{refusing}/nowhere"


def test_a_tunnel_has_spans_once_it_has_ended(world, launch, collector):
    paraph = launch(world.configuration(tracing={"otlp": collector.url}))
    with paraph.raw(world.other.address, connect_fields=context(), tls=False):
        assert not collector.spans
    spans = wait_until(lambda: len(collector.spans) >= 2 and collector.spans, "the spans of a tunnel")
    (tunnel,), (connect,) = named(spans, "CONNECT"), named(spans, "connect")
    assert tunnel.trace_id.hex() == TRACE and tunnel.parent_span_id.hex() == PARENT
    assert tunnel.trace_state == "vendor=value,other=1" and connect.parent_span_id == tunnel.span_id
    host, _, port = world.other.address.rpartition(":")
    for span in (tunnel, connect):
        assert (attributes(span)["server.address"], attributes(span)["server.port"]) == (host, int(port))
    facts = attributes(tunnel)
    assert facts["http.request.method"] == "CONNECT" and facts["http.response.status_code"] == 200
    assert not {"url.path", "url.full", "url.scheme"} & facts.keys()
    assert tunnel.status.code == Status.STATUS_CODE_UNSET and "paraph.connect.tcp_us" in attributes(connect)


def test_a_tunnel_that_fails_has_spans_that_say_so(world, launch, collector):
    with held_port() as port:
        access = {"connect_ports": [port]}
        paraph = launch(world.configuration(access=access, tracing={"otlp": collector.url}))
        assert ask(paraph, f"https://127.0.0.1:{port}/").status == 502
        spans = wait_until(lambda: len(collector.spans) >= 2 and collector.spans, "the spans of a tunnel")
    for span in (*named(spans, "CONNECT"), *named(spans, "connect")):
        assert span.status.code == Status.STATUS_CODE_ERROR
        assert attributes(span)["error.type"] == "connection_refused"


def test_the_name_of_a_trace_that_begins_here_is_in_the_log_and_in_the_inspector(world, launch, collector):
    configuration = world.configuration(tracing={"otlp": collector.url}, inspector={"keep": True})
    paraph = launch({**configuration, "log": {"level": "info"}})
    ask(paraph, f"{world.URL}/x").verified()
    (span,) = wait_until(lambda: named(collector.spans, "GET"), "the span of a request")
    lines = wait_until(lambda: re.findall(r'"trace_id":"(\w+)"', paraph.log()), "the line of the request")
    assert lines == [span.trace_id.hex()]
    (shown,) = json.loads(paraph.admin("/requests")[1])["requests"]
    assert shown["trace_id"] == span.trace_id.hex()


def test_what_is_not_sampled_is_not_traced_and_a_request_without_context_begins_a_trace(world, launch, collector):
    paraph = launch(world.configuration(tracing={"otlp": collector.url}))
    ask(paraph, f"{world.URL}/x", fields=context("00")).verified()
    ask(paraph, f"{world.URL}/y").verified()
    spans = wait_until(lambda: named(collector.spans, "GET"), "the span of a request")
    (request,) = spans
    assert attributes(request)["url.path"] == "/y"
    assert not request.parent_span_id and request.trace_id.hex() != TRACE


def test_a_request_that_is_refused_has_a_span_with_the_error(world, launch, collector):
    paraph = launch(world.configuration(access={"other_hosts": "refuse"}, tracing={"otlp": collector.url}))
    assert ask(paraph, "http://elsewhere.test.example/").status == 403
    (request,) = wait_until(lambda: named(collector.spans, "GET"), "the span of a request")
    assert request.status.code == Status.STATUS_CODE_ERROR
    assert attributes(request)["error.type"] == "http_request_denied"


def test_an_exchange_that_fails_has_a_span_with_its_cause(world, launch, provider, collector):
    application = provider.new_application()
    account = world.reverse_auth_account(application)
    account["reverse_auth"]["request_token_url"] = f"{world.URL}/oauth/nothing-of-the-kind"
    apis = {"main": world.api(application=application, accounts={"default": account})}
    paraph = launch(world.configuration(apis, tracing={"otlp": collector.url}))
    cause = json.loads(ask(paraph, f"{world.URL}/x").body)["cause"]
    (request,) = wait_until(lambda: named(collector.spans, "GET"), "the span of a request")
    facts = attributes(request)
    assert cause.startswith("exchange_") and facts["paraph.cause"] == cause and facts["error.type"] == "http_request_denied"


def test_what_the_collector_does_not_take_is_counted_and_told_once(world, launch, collector):
    collector.status = 503
    paraph = launch(world.configuration(tracing={"otlp": collector.url}))
    for _ in range(2):
        count = len(collector.requests)
        ask(paraph, f"{world.URL}/x").verified()
        wait_until(lambda: len(collector.requests) > count, "a batch")
    wait_until(lambda: 'paraph_spans_dropped_total{reason="refused"}' in paraph.admin("/metrics")[1].decode(), "the counter")
    assert len(paraph.told("does not take spans")) == 1


def test_what_the_collector_rejects_of_a_batch_is_counted_and_told_once(world, launch, collector):
    collector.rejected = 1
    paraph = launch(world.configuration(tracing={"otlp": collector.url}))
    for batches in (1, 2):
        ask(paraph, f"{world.URL}/x").verified()
        count = f'paraph_spans_dropped_total{{reason="rejected"}} {batches}\n'
        wait_until(lambda: count in paraph.admin("/metrics")[1].decode(), "the counter")
    metrics = paraph.admin("/metrics")[1].decode()
    (exported,) = re.findall(r"^paraph_spans_exported_total (\d+)$", metrics, re.M)
    assert int(exported) == len(collector.spans) - 2
    (line,) = wait_until(lambda: re.findall(r".*rejects some of the spans.*", paraph.log()), "the warning")
    assert '"reason":"too old for this"' in line


def test_a_trace_that_begins_here_has_no_state_of_another_one(world, launch, collector):
    paraph = launch({**world.configuration(tracing={"otlp": collector.url}), "log": {"level": "info"}})
    ask(paraph, f"{world.URL}/x", fields=context()).verified()
    (span,) = wait_until(lambda: named(collector.spans, "GET"), "the span of a request")
    assert span.trace_state == "vendor=value,other=1"
    fields = [("traceparent", "no trace context at all"), ("tracestate", "vendor=value")]
    ask(paraph, f"{world.URL}/y", fields=fields).verified()
    (_, span) = wait_until(lambda: len(found := named(collector.spans, "GET")) == 2 and found, "another span")
    assert not span.trace_state and not span.parent_span_id
    lines = wait_until(lambda: len(found := re.findall(r".*\"message\":\"request\".*", paraph.log())) == 2 and found, "lines")
    assert [json.loads(line).get("trace_state") for line in lines] == ["vendor=value,other=1", None]


def test_the_fields_of_a_state_are_one_without_what_may_be_a_secret(world, launch, collector):
    paraph = launch({**world.configuration(tracing={"otlp": collector.url}), "log": {"level": "info"}})
    more = [("tracestate", "token=hidden-from-spans,third=3")]
    ask(paraph, f"{world.URL}/x", fields=context() + more).verified()
    (span,) = wait_until(lambda: named(collector.spans, "GET"), "the span of a request")
    assert span.trace_state == "vendor=value,other=1,third=3"
    (line,) = wait_until(lambda: re.findall(r".*\"message\":\"request\".*", paraph.log()), "a line")
    assert json.loads(line)["trace_state"] == "vendor=value,other=1,token=…,third=3"
    assert b"hidden" not in b"".join(body for _, _, body in collector.requests)
    ask(paraph, f"{world.URL}/y", fields=context() + context()).verified()
    spans = wait_until(lambda: len(found := named(collector.spans, "GET")) == 2 and found, "another span")
    (span,) = [one for one in spans if attributes(one)["url.path"] == "/y"]
    assert span.trace_id.hex() != TRACE and not span.trace_state and not span.parent_span_id, "of two traces it is in none"


def test_what_is_left_is_sent_at_the_end(world, launch, collector):
    paraph = launch(world.configuration(tracing={"otlp": collector.url}))
    ask(paraph, f"{world.URL}/x").verified()
    paraph.stop()
    assert named(collector.spans, "GET")


def test_trace_context_passes_as_it_came_without_tracing_too(world, launch):
    paraph = launch(world.configuration())
    seen = ask(paraph, f"{world.URL}/x", fields=[("Traceparent", "no trace context at all"), ("tracestate", "=")])
    assert field(seen.verified(), "traceparent") == "no trace context at all"
