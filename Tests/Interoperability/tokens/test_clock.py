"""A provider whose clock is another: its time is learnt from a refusal, and the request repeated once."""

import json
import math
import re
import time
from contextlib import contextmanager

import pytest

from harness.raw import ask, request
from harness.waiting import wait_until


@pytest.fixture
def clock(provider):
    """Sets how many seconds the provider's clock is ahead; right again after the test."""

    def set_ahead(seconds):
        provider.clock_ahead = seconds

    yield set_ahead
    provider.clock_ahead = 0


@contextmanager
def told_offsets(ahead):
    """The offsets that may be seen of a clock which is so far ahead: an answer, which says its time in whole seconds,
    may take as long as the request does."""
    began, offsets = time.time(), set()
    yield offsets
    offsets.update(range(ahead - 2 - math.ceil(time.time() - began), ahead + 2))


class Scene:
    """An API with a path of its own, whose refusals are counted, and a proxy."""

    def __init__(self, world, launch, oauth1=None, refuse=None):
        self.world = world
        self.application = world.provider.new_application()
        self.refuse = refuse
        self.path = world.provider.route(self.handle)
        api = world.api((world.HOST,), self.application, oauth1=oauth1)
        self.paraph = launch(world.configuration({"main": api}))

    def handle(self, call):
        if self.refuse is None or call.verify():
            return call.answer()
        self.refuse(call)

    @property
    def requests(self):
        return self.world.provider.requests_for(self.path)

    def ask(self, *arguments, **options):
        return ask(self.paraph, f"{self.world.URL}{self.path}", *arguments, **options)


@pytest.fixture
def scene(world, launch):
    return lambda **options: Scene(world, launch, **options)


def x_code(call):
    call.respond(
        401,
        [("Content-Type", "application/json")],
        json.dumps({"errors": [{"code": 135, "message": "Timestamp out of bounds."}]}),
    )


def problem(call):
    call.respond(401, [("Content-Type", "application/x-www-form-urlencoded")], "oauth_problem=timestamp_refused")


def problem_with_a_range(call):
    now = int(call.provider.now())
    call.respond(
        401,
        [
            (
                "WWW-Authenticate",
                f'OAuth oauth_problem="timestamp_refused", oauth_acceptable_timestamps="{now - 300}-{now + 300}"',
            )
        ],
    )


def magento(call):
    call.respond(401, [("Content-Type", "application/json")], json.dumps({"code": 4, "message": "timestamp_refused"}))


@pytest.mark.parametrize("ahead", [412, -3600, 86400 * 30])
@pytest.mark.parametrize("refuse", [None, x_code, problem, problem_with_a_range, magento])
def test_the_clock_is_learnt_from_one_refusal(scene, clock, ahead, refuse):
    clock(ahead)
    found = scene(refuse=refuse)
    assert found.ask("POST", fields=[("Content-Type", "application/x-www-form-urlencoded")], body=b"a=1").verified()
    assert [r.problem for r in found.requests] == ["timestamp_refused", None]
    for _ in range(3):
        found.ask().verified()
    assert len(found.requests) == 5, "the offset is kept"


def test_the_clock_is_learnt_again(scene, clock):
    found = scene()
    for ahead in (0, 1000, -1000, 0):
        clock(ahead)
        found.ask().verified()
    assert [r.problem for r in found.requests].count("timestamp_refused") == 3


def test_it_is_said_in_the_log(scene, clock):
    clock(412)
    found = scene()
    with told_offsets(412) as offsets:
        found.ask().verified()
    (line,) = wait_until(lambda: [line for line in found.paraph.lines if "clock" in line], "the log's line")
    assert int(json.loads(line)["offset_seconds"]) in offsets, line


def test_a_correction_that_is_switched_off(scene, clock):
    clock(412)
    found = scene(oauth1={"clock_correction": False})
    with told_offsets(412) as offsets:
        told = found.ask().diagnosis(401)
    assert int(re.search(r"clock is (\d+) s ahead", told).group(1)) in offsets, told
    assert len(found.requests) == 1


def test_another_refusal_corrects_nothing(scene, clock):
    """A refusal for another reason, with a Date that is off: no clock is learnt from that."""

    def refuse(call):
        call.respond(401, [("Content-Type", "application/x-www-form-urlencoded")], "oauth_problem=permission_denied")

    clock(200)
    found = scene(refuse=refuse)
    began = int(time.time())
    found.ask().verified()
    found.application.token("").revoked = False
    for token in found.application.tokens.values():
        token.revoked = True
    found.ask().diagnosis(401)
    for token in found.application.tokens.values():
        token.revoked = False
    found.ask().verified()
    stamps = [int(r.verdict.parameters["oauth_timestamp"]) for r in found.requests if r.verdict]
    assert stamps and began <= min(stamps) and max(stamps) <= time.time(), "the timestamps are still this machine's"


def test_one_repetition_and_no_more(scene, world):
    """A provider that refuses whatever the time is."""

    def refuse(call):
        call.verify()
        problem(call)

    found = scene()
    path = world.provider.route(refuse)
    answer = ask(found.paraph, f"{world.URL}{path}")
    assert (answer.status, answer.body) == (401, b"oauth_problem=timestamp_refused")
    answer.diagnosis(401)
    assert len(world.provider.requests_for(path)) <= 2


def test_the_clock_of_another_api_is_its_own(world, launch, clock):
    """Two hosts with clocks of their own are corrected on their own."""
    found = {}
    apis = {}
    for number, name in enumerate(("one", "two")):
        application = world.provider.new_application()
        apis[name] = world.api((f"{name}.test.example",), application)
        found[name] = application
    paraph = launch(world.configuration(apis))
    clock(500)
    ask(paraph, "https://one.test.example/x").verified()
    clock(0)
    before = len(world.provider.records)
    ask(paraph, "https://two.test.example/x").verified()
    assert len(world.provider.records) == before + 1


def test_an_exchange_is_corrected_too(world, launch, clock):
    application = world.provider.new_application()
    accounts = {"default": world.reverse_auth_account(application)}
    paraph = launch(world.configuration({"main": world.api((world.HOST,), application, accounts)}))
    clock(-900)

    def asked():
        answer = ask(paraph, f"{world.URL}/x")
        return answer.status == 200 and answer

    # The first answer may be that of a failed exchange: its refusal has told the time to the next.
    wait_until(asked, "an exchange by the provider's clock").verified()


def test_monotonic_timestamps(world, launch):
    """None repeats or goes back, whichever connection it goes out on."""
    application = world.provider.new_application()
    paraph = launch(
        world.configuration({"main": world.api((world.HOST,), application, oauth1={"timestamp": "monotonic"})})
    )
    before = len(world.provider.records)
    clients = [paraph.raw(f"{world.HOST}:443") for _ in range(8)]
    for number in range(5):
        for client in clients:
            client.send(request("GET", f"/x?n={number}", world.HOST))
        for client in clients:
            client.receive().verified()
    for client in clients:
        client.close()
    records = [r for r in world.provider.records[before:] if r.verdict and r.verdict.application is application]
    stamps = [int(r.verdict.parameters["oauth_timestamp"]) for r in records]
    assert len(stamps) == 40 and len(set(stamps)) == 40, stamps
