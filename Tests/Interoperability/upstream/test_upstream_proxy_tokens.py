"""`upstream_proxy`: each way to a token goes through the other proxy too."""

import pytest

from harness.enrolment import IDS
from harness.enrolment import Scene as EnrolmentScene
from harness.login import Browser, Login
from harness.password_grant import PasswordGrant
from harness.raw import ask
from harness.three_legged import ThreeLegged
from harness.watched_proxy import only_through, refused_by, wrong
from harness.xauth import XAuth


class Exchanges:
    """What an account needs, and how often the provider was asked for its token."""

    @staticmethod
    def reverse_auth(world, application):
        flow = application.reverse_auth
        return {}, world.reverse_auth_account(application), "/x", lambda: flow.second_steps

    @staticmethod
    def xauth(world, application):
        server = XAuth(world.provider, application)
        server.new_user("alice")
        return {}, {"xauth": server.settings(world, "alice")}, "/x", lambda: server.requests

    @staticmethod
    def password(world, application):
        server = PasswordGrant(world.provider)
        account = {"password": {"username": "alice", "password": server.new_user("alice")}}
        entry = {"oauth1": None, "oauth2": server.settings(world)}
        return entry, account, server.resource, lambda: len(server.token_requests)


KINDS = ["reverse_auth", "xauth", "password"]


@pytest.fixture(params=KINDS)
def exchange(request, world, application):
    return getattr(Exchanges, request.param)(world, application)


def test_exchanges(start, world, other, exchange):
    entry, account, path, count = exchange
    paraph = start(entry, {"default": account})
    for _ in range(2):
        ask(paraph, f"{world.URL}{path}").verified()
    assert count() == 1 and only_through(other)


def test_a_refresh(start, world, other, application):
    server = PasswordGrant(world.provider)
    account = {"password": {"username": "alice", "password": server.new_user("alice")}}
    paraph = start({"oauth1": None, "oauth2": server.settings(world)}, {"default": account})
    ask(paraph, f"{world.URL}{server.resource}").verified()
    server.revoke_access_tokens()
    ask(paraph, f"{world.URL}{server.resource}").verified()
    assert server.kinds == ["password", "refresh"] and only_through(other)


def test_logins_that_need_no_person(start, world, other, exchange):
    entry, account, path, count = exchange
    paraph = start(entry, {"default": account})
    code, said = Login(paraph, "main").finish()
    assert code == 0, said
    assert count() == 1 and only_through(other)
    ask(paraph, f"{world.URL}{path}").verified()
    assert count() == 1


def test_a_login_with_a_person(start, world, other, application):
    server = ThreeLegged(world.provider, application)
    paraph = start(accounts={"default": {"three_legged": server.settings(world)}})
    person = Login(paraph, "main")
    person.type(Browser(world.certificates).pin(person.address()))
    code, said = person.finish()
    assert code == 0, said
    assert only_through(other) and other.listener.requests == 2
    assert ask(paraph, f"{world.URL}/x").verified()["user"] == "alice"


@pytest.mark.parametrize("kind", IDS)
def test_enrolment(world, launch, other, kind):
    found = EnrolmentScene(world, launch, upstream_proxy=other.settings())
    before = world.main.connections
    assert found.register(found.claim(kind)).status == 201
    assert found.use(kind).verified()["user"] == IDS[kind]
    assert world.main.connections - before == len(other.opened) > 0
    assert set(other.opened) == {world.main.address}


# Wrong credentials


def test_wrong_credentials_of_an_exchange(start, world, other, exchange):
    entry, account, path, count = exchange
    paraph = start(entry, {"default": account}, {"upstream_proxy": wrong(other)})
    refused_by(other, ask(paraph, f"{world.URL}{path}").problem(502), "407", "upstream_proxy.password")
    code, said = Login(paraph, "main").finish()
    assert code != 0 and count() == 0
    refused_by(other, said, "407", "upstream_proxy.password")


@pytest.mark.parametrize("kind", IDS)
def test_wrong_credentials_of_enrolment(world, launch, other, kind):
    found = EnrolmentScene(world, launch, upstream_proxy=wrong(other))
    answer = found.register(found.claim(kind))
    assert answer.status == 502 and answer.json["message"] == "USER_CREATION_FAILED"
    refused_by(other, answer.json["detail"], "407", "upstream_proxy.password")
