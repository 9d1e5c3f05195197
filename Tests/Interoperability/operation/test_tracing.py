"""Trace context passes as it came, and with `tracing` spans of requests reach an OpenTelemetry collector."""

import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from harness.collector import Collector, attributes
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
    assert facts["http.response.status_code"] == 200
    assert attributes(connect)["paraph.connect.tls_us"] > 0
    assert request.status.code == Status.STATUS_CODE_UNSET
    assert attributes(collector.resource_spans[0].resource)["service.name"] == "paraph"
    assert b"secret" not in b"".join(body for _, _, body in collector.requests), "a query may hold secrets"


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


def test_what_the_collector_does_not_take_is_counted_and_told_once(world, launch, collector):
    collector.status = 503
    paraph = launch(world.configuration(tracing={"otlp": collector.url}))
    for _ in range(2):
        count = len(collector.requests)
        ask(paraph, f"{world.URL}/x").verified()
        wait_until(lambda: len(collector.requests) > count, "a batch")
    wait_until(lambda: 'paraph_spans_dropped_total{reason="refused"}' in paraph.admin("/metrics")[1].decode(), "the counter")
    assert paraph.log().count("does not take spans") == 1


def test_what_is_left_is_sent_at_the_end(world, launch, collector):
    paraph = launch(world.configuration(tracing={"otlp": collector.url}))
    ask(paraph, f"{world.URL}/x").verified()
    paraph.stop()
    assert named(collector.spans, "GET")


def test_trace_context_passes_as_it_came_without_tracing_too(world, launch):
    paraph = launch(world.configuration())
    seen = ask(paraph, f"{world.URL}/x", fields=[("Traceparent", "no trace context at all"), ("tracestate", "=")])
    assert field(seen.verified(), "traceparent") == "no trace context at all"
