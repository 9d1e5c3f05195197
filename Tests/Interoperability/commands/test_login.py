"""`paraph login`: the three legs of RFC 5849, section 2, against oauthlib, and the other ways to a token."""

from urllib.parse import urlsplit

import pytest

from harness.applications import Failure
from harness.clients import Request
from harness.login import Browser, Login
from harness.password_grant import PasswordGrant
from harness.ports import held_port
from harness.raw import ask
from harness.three_legged import ThreeLegged
from harness.waiting import wait_until
from harness.xauth import XAuth


@pytest.fixture
def browser(certificates):
    return Browser(certificates)


@pytest.fixture
def login():
    """Starts logins; none outlives its test."""
    mine = []

    def start(paraph, api="main", account=None):
        mine.append(Login(paraph, api, account))
        return mine[-1]

    yield start
    for one in mine:
        one.end()


class Scene:
    """A provider of the three legs, and a proxy with an account that has to be logged in."""

    def __init__(self, world, launch, callback="oob", three_legged=None, oauth1=None, **quirks):
        self.world = world
        self.server = ThreeLegged(world.provider, world.provider.new_application(), **quirks)
        self.application = self.server.application
        account = {"three_legged": self.server.settings(world, callback, **(three_legged or {}))}
        api = world.api((world.HOST,), self.application, {"default": account, "second": account}, oauth1=oauth1)
        self.paraph = launch(world.configuration({"main": api}))

    def ask(self, account="default", **options):
        return ask(self.paraph, f"{self.world.URL}/x?a=1", fields=[("Paraph-Account", account)], **options)


@pytest.fixture
def scene(world, launch):
    return lambda *arguments, **options: Scene(world, launch, *arguments, **options)


# The verifier, typed or brought back by the browser

SHAPES = {
    "a PIN of seven digits": {"pin_digits": 7},
    "a PIN of six digits": {"pin_digits": 6},
    "a long verifier": {},
    "answers as text/html": {"content_type": "text/html; charset=utf-8"},
    "PLAINTEXT": {"methods": ("PLAINTEXT",), "oauth1": {"signature_method": "PLAINTEXT"}},
    "HMAC-SHA256 and a realm": {
        "methods": ("HMAC-SHA256",),
        "realm": "1234567_SB1",
        "oauth1": {"signature_method": "HMAC-SHA256", "realm": "1234567_SB1"},
    },
    "extra authorize parameters": {
        "authorize_parameters": ("name", "expiration", "scope"),
        "three_legged": {"authorize_parameters": {"name": "a é&b", "expiration": "never", "scope": "read,write"}},
    },
    "a User-Agent": {"needs_user_agent": True},
}


@pytest.mark.parametrize("title", SHAPES)
def test_a_typed_verifier_leads_to_a_token(scene, browser, login, title):
    found = scene(**SHAPES[title])
    person = login(found.paraph)
    address = person.address()
    person.type(browser.pin(address, "alice"))
    code, said = person.finish()
    assert code == 0, said
    assert found.ask().verified()["user"] == "alice"
    assert found.server.requests["access_token"] == 1
    temporary = next(iter(found.server.temporary.values()))
    for name, value in SHAPES[title].get("three_legged", {}).get("authorize_parameters", {}).items():
        assert temporary.authorize_query[name] == value


@pytest.mark.parametrize("title", ["a long verifier", "HMAC-SHA256 and a realm", "PLAINTEXT"])
def test_the_browser_brings_the_verifier_back(scene, browser, login, title):
    found = scene(callback=None, **SHAPES[title])
    person = login(found.paraph)
    last = browser.approve(person.address(), "alice")
    assert last.status_code == 200 and urlsplit(last.url).hostname in ("127.0.0.1", "localhost", "::1")
    assert "oauth_verifier" not in last.text and "oauth_token" not in last.text
    code, said = person.finish()
    assert code == 0, said
    assert found.ask().verified()["user"] == "alice"


def test_a_callback_on_a_port_of_ones_own(scene, browser, login):
    with held_port() as port:
        found = scene(callback=f"http://127.0.0.1:{port}/done?x=1")
        person = login(found.paraph)
        last = browser.approve(person.address())
    assert last.url.startswith(f"http://127.0.0.1:{port}/done?x=1&") and last.status_code == 200
    code, said = person.finish()
    assert code == 0, said
    found.ask().verified()


def test_a_port_that_somebody_else_has(scene, login, closed_port):
    found = scene(callback=f"http://127.0.0.1:{closed_port}/done")
    assert str(closed_port) in failed(login(found.paraph))
    assert not sum(found.server.requests.values())


def test_a_running_proxy_takes_the_token_up(scene, browser, login):
    found = scene()
    told = found.ask().problem(403, "http_request_denied")
    assert "paraph login main" in told
    assert "paraph login main --account second" in found.ask("second").problem(403, "http_request_denied")
    assert not sum(found.server.requests.values()), "nothing is asked of the provider without a person"
    person = login(found.paraph, account="second")
    person.type(browser.pin(person.address(), "bob"))
    assert person.finish()[0] == 0
    assert found.ask("second").verified()["user"] == "bob"
    found.ask().problem(403, "http_request_denied")


def test_a_token_survives_restarts_and_is_sealed(scene, browser, login):
    found = scene()
    person = login(found.paraph)
    person.type(browser.pin(person.address()))
    assert person.finish()[0] == 0
    found.ask().verified()
    found.paraph.kill()
    found.paraph.start()
    found.ask().verified()
    for file in (found.paraph.folder / "state").rglob("*"):
        if file.is_file():
            assert found.server.issued[0].secret.encode() not in file.read_bytes(), file


def test_without_a_running_proxy(scene, browser, login):
    found = scene()
    assert found.paraph.stop() == 0
    person = login(found.paraph)
    person.type(browser.pin(person.address()))
    assert person.finish()[0] == 0
    found.paraph.start()
    found.ask().verified()


def test_a_second_login_replaces_the_token(scene, browser, login):
    found = scene()
    for user in ("alice", "bob"):
        person = login(found.paraph)
        person.type(browser.pin(person.address(), user))
        assert person.finish()[0] == 0
        wait_until(lambda: found.ask().json["user"] == user, f"the token of {user}")


def test_every_client_is_signed_with_it(scene, browser, login, client):
    found = scene()
    person = login(found.paraph)
    person.type(browser.pin(person.address()))
    assert person.finish()[0] == 0
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = client.send(found.paraph, Request(f"{found.world.URL}/x?a=%C3%A9", "POST", form, b"b=1+2&b="))
    assert answer.verified()["user"] == "alice"


# What goes wrong


def failed(person):
    code, said = person.finish()
    assert code not in (0, 64, 70), f"{code} {said}"
    assert "paraph" in said.lower() and "\n" in said
    return said


def test_a_wrong_pin(scene, browser, login):
    found = scene(pin_digits=7)
    person = login(found.paraph)
    pin = browser.pin(person.address())
    person.type(str((int(pin) + 1) % 10**7).zfill(7))
    said = failed(person)
    assert "verifier" in said.lower() or "PIN" in said, said
    found.ask().problem(403, "http_request_denied")


def test_nothing_is_typed(scene, login):
    found = scene()
    person = login(found.paraph)
    person.address()
    failed(person)
    assert found.server.requests["access_token"] == 0


def test_the_person_denies(scene, browser, login):
    found = scene(callback=None)
    person = login(found.paraph)
    browser.decide(person.address(), "deny")
    said = failed(person)
    assert "denied" in said.lower() or "refused" in said.lower(), said
    assert found.server.requests["access_token"] == 0


def test_a_callback_that_is_not_confirmed(scene, login):
    """OAuth 1.0 without the correction of 2009 can be turned against the person who approves."""
    found = scene()
    found.server.alter["request_token"] = lambda text: text.replace("oauth_callback_confirmed=true", "x=1")
    said = failed(login(found.paraph))
    assert "oauth_callback_confirmed" in said or "1.0a" in said, said
    assert not found.server.requests["authorize"]


def test_a_callback_for_another_authorization(scene, browser, login):
    found = scene(callback=None)
    found.server.alter["redirect"] = lambda url: url.replace("oauth_token=", "oauth_token=another")
    person = login(found.paraph)
    last = browser.approve(person.address())
    assert last.status_code >= 400, "the listener does not take what is not its own"
    assert person.process.poll() is None or person.process.returncode
    assert found.server.requests["access_token"] == 0


def test_temporary_credentials_are_refused(scene, login):
    found = scene(oauth1={"consumer_secret": "wrong-" + "x" * 20})
    said = failed(login(found.paraph))
    assert "temporary credentials" in said, said


ANSWERS = {
    "nothing in it": "a=b",
    "an error": '{"errors":[{"code":32,"message":"Could not authenticate you"}]}',
    "no secret": "oauth_token=x&oauth_callback_confirmed=true",
    "an empty token": "oauth_token=&oauth_token_secret=&oauth_callback_confirmed=true",
}


@pytest.mark.parametrize("title", ANSWERS)
def test_an_answer_that_is_none(scene, login, title):
    found = scene()
    found.server.alter["request_token"] = lambda _: ANSWERS[title]
    failed(login(found.paraph))
    assert not found.server.requests["authorize"]


@pytest.mark.parametrize("callback", ["oob", None])
def test_oauth_1_0_only_when_the_configuration_says_so(scene, browser, login, callback):
    found = scene(callback=callback, version10=True)
    person = login(found.paraph)
    address = person.address()
    last = browser.approve(address)
    assert last.status_code == 200
    if callback == "oob":
        person.type("")
    code, said = person.finish()
    assert code == 0, said
    assert found.ask().verified()["user"] == "alice"


# Ways that need no browser


def test_xauth(world, launch, login):
    application = world.provider.new_application()
    server = XAuth(world.provider, application)
    server.new_user("alice")
    accounts = {"default": {"xauth": server.settings(world, "alice")}}
    paraph = launch(world.configuration({"main": world.api((world.HOST,), application, accounts)}))
    code, said = login(paraph).finish()
    assert code == 0, said
    assert server.requests == 1
    assert ask(paraph, f"{world.URL}/x").verified()["user"] == "alice"
    assert server.requests == 1, "the token that login got is used"


def test_reverse_auth(world, launch, login):
    application = world.provider.new_application()
    accounts = {"default": world.reverse_auth_account(application)}
    paraph = launch(world.configuration({"main": world.api((world.HOST,), application, accounts)}))
    code, said = login(paraph).finish()
    assert code == 0, said
    assert ask(paraph, f"{world.URL}/x").verified()["user"] == "reverse"
    assert application.reverse_auth.second_steps == 1


def test_a_failed_exchange(world, launch, login):
    application = world.provider.new_application()
    accounts = {"default": world.reverse_auth_account(application)}
    application.reverse_auth.failures[2] = Failure(401, "Reverse auth credentials are invalid")
    paraph = launch(world.configuration({"main": world.api((world.HOST,), application, accounts)}))
    assert "Reverse auth credentials are invalid" in failed(login(paraph))


def test_the_password_grant(world, launch, login):
    server = PasswordGrant(world.provider)
    account = {"password": {"username": "alice", "password": server.new_user("alice")}}
    api = {**world.api(accounts={"default": account}), "oauth2": server.settings(world)}
    del api["oauth1"]
    paraph = launch(world.configuration({"members": api}))
    code, said = login(paraph, "members").finish()
    assert code == 0, said
    assert ask(paraph, f"{world.URL}{server.resource}").verified()["user"] == "alice"
    assert server.kinds == ["password"]


@pytest.mark.parametrize(
    "api, account, words", [("mian", None, "main"), ("main", "nobody", "default"), ("main", "issued", "token")]
)
def test_nothing_to_log_in(world, launch, login, api, account, words):
    application = world.provider.new_application()
    accounts = {"default": world.reverse_auth_account(application), "issued": world.issued(application.issue("x"))}
    paraph = launch(world.configuration({"main": world.api((world.HOST,), application, accounts)}))
    code, said = login(paraph, api, account).finish()
    assert code in (64, 65), f"{code} {said}"
    assert words in said, said
    assert application.reverse_auth.first_steps == 0
