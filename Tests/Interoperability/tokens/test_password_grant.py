"""Access tokens by the password grant: fetched on first use, refreshed, and fetched anew."""

import concurrent.futures
import copy
import fcntl
import json
import os
import signal

import pytest

from harness.applications import Failure
from harness.clients import CURL, Request
from harness.password_grant import PasswordGrant
from harness.raw import ask, request
from harness.waiting import LIMIT, wait_until


class Scene:
    def __init__(self, world, launch, oauth2=None, **options):
        self.world = world
        self.server = PasswordGrant(world.provider, **options)
        account = {"password": {"username": "alice", "password": self.server.new_user("alice")}}
        api = {**world.api(accounts={"default": account}), "oauth2": self.server.settings(world, **(oauth2 or {}))}
        del api["oauth1"]
        self.paraph = launch(world.configuration({"members": api}))

    @property
    def url(self):
        return f"{self.world.URL}{self.server.resource}"

    def ask(self):
        return ask(self.paraph, self.url)

    def ask_until_renewed(self):
        """A token that is refused soon after the one before it is renewed only after a pause."""
        return wait_until(lambda: (answer := self.ask()).status == 200 and answer, "a new access token").verified()


@pytest.fixture
def scene(world, launch):
    return lambda **options: Scene(world, launch, **options)


KINDS = {
    "RFC 6749, client in the body": {},
    "RFC 6749, client by Basic": {"authentication": "basic"},
    "oPRO": {"oPRO": True},
}


@pytest.mark.parametrize("title", KINDS)
def test_a_token_is_fetched_on_first_use(scene, client, title):
    found = scene(**KINDS[title])
    assert not found.server.token_requests
    for _ in range(3):
        answer = client.send(found.paraph, Request(found.url, "POST", {"Content-Type": "text/plain"}, b"x"))
        assert answer.verified()["user"] == "alice"
    assert found.server.kinds == ["password"]


@pytest.mark.parametrize("title", KINDS)
def test_a_refused_token_is_refreshed(scene, title):
    found = scene(**KINDS[title])
    found.ask().verified()
    found.server.revoke_access_tokens()
    found.ask().verified()
    for _ in range(2):
        found.server.revoke_access_tokens()
        found.ask_until_renewed()
    assert found.server.kinds == ["password", "refresh", "refresh", "refresh"]
    used = [one["refresh_token"] for one in found.server.token_requests[1:]]
    assert len(set(used)) == 3, "each refresh token is used once"


def test_a_refresh_token_that_stays(scene):
    found = scene(rotates=False)
    found.ask().verified()
    for _ in range(2):
        found.server.revoke_access_tokens()
        found.ask_until_renewed()
    assert found.server.kinds == ["password", "refresh", "refresh"]


def test_a_refused_refresh_token_leads_to_the_password(scene):
    found = scene()
    found.ask().verified()
    found.server.revoke_access_tokens()
    found.server.revoke_refresh_tokens()
    found.ask().verified()
    assert found.server.kinds == ["password", "refresh", "password"]


def test_a_token_is_refreshed_before_it_ends(scene):
    found = scene(lifetime=4)
    found.ask().verified()

    # No request is ever refused: the token is renewed while it is good, by requests that go on with it.
    def refreshed():
        found.ask().verified()
        return "refresh" in found.server.kinds

    wait_until(refreshed, "a refresh ahead of the end")
    assert not [g for g in found.server.grants if g.revoked]


def test_one_refresh_for_all(scene):
    found = scene()
    found.ask().verified()
    clients = [found.paraph.raw(f"{found.world.HOST}:443") for _ in range(30)]
    found.server.revoke_access_tokens()
    for client in clients:
        client.send(request("GET", found.server.resource, found.world.HOST))
    for client in clients:
        client.receive().verified()
        client.close()
    assert found.server.kinds == ["password", "refresh"]


def test_one_grant_for_all(scene):
    found = scene()
    found.server.gate.clear()
    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        waiting = [pool.submit(CURL.send, found.paraph, Request(found.url)) for _ in range(20)]
        assert found.server.reached.wait(LIMIT)
        wait_until(lambda: found.paraph.established() >= 20, "twenty connections")
        found.server.gate.set()
        assert {w.result(LIMIT).verified()["user"] for w in waiting} == {"alice"}
    assert found.server.kinds == ["password"]


def test_tokens_survive_a_restart(scene):
    found = scene()
    found.ask().verified()
    found.paraph.kill()
    found.paraph.start()
    found.ask().verified()
    found.server.revoke_access_tokens()
    found.ask().verified()
    found.paraph.kill()
    found.paraph.start()
    found.server.revoke_access_tokens()
    found.ask().verified()
    assert found.server.kinds == ["password", "refresh", "refresh"]
    for file in (found.paraph.folder / "state").rglob("*"):
        if file.is_file():
            content = file.read_bytes()
            for grant in found.server.grants:
                assert grant.access_token.encode() not in content and grant.refresh_token.encode() not in content, file


@pytest.mark.parametrize("how", ["reload", "restart"])
@pytest.mark.parametrize("what", ["user", "hosts"])
def test_a_stored_token_is_for_what_it_was_obtained_with_alone(scene, world, what, how):
    found = scene()
    assert found.ask().verified()["user"] == "alice"
    before = found.server.grants[-1].access_token
    changed = copy.deepcopy(found.paraph.configuration)
    api = changed["apis"]["members"]
    if what == "user":
        user = "bob"
        api["accounts"]["default"]["password"] = {"username": user, "password": found.server.new_user(user)}
    else:
        user = "alice"
        api["hosts"] = [*api["hosts"], "more.test.example"]
    found.paraph.reconfigure(changed)
    code, said = found.paraph.command("accounts", "list", "--long")
    assert code == 0 and said.rstrip("\n").endswith("\tnot used"), said
    code, said = found.paraph.command("accounts", "show", "members", "default")
    assert code == 0 and "used: no: it was obtained for other settings" in said, said
    if how == "reload":
        found.paraph.reload()
    else:
        found.paraph.stop()
        found.paraph.start()
    asked = len(world.provider.records)
    for _ in range(2):
        assert found.ask().verified()["user"] == user
    assert found.server.kinds == ["password", "password"], "nor is the refresh token sent"
    sent = b"".join(value for one in world.provider.records[asked:] for _, value in one.fields)
    assert before.encode() not in sent
    assert len(found.paraph.told("the stored credential of an account is not used")) == 1
    code, said = found.paraph.command("accounts", "list", "--long")
    assert code == 0 and "not used" not in said, said


FAILURES = {
    "wrong password": (Failure(400, json.dumps({"error": "invalid_grant"}), "application/json"), "invalid_grant"),
    "wrong client": (Failure(401, json.dumps({"error": "invalid_client"}), "application/json"), "invalid_client"),
    "503": (Failure(503, "Over capacity"), "Over capacity"),
    "nonsense": (Failure(200, "<html>"), ""),
    "no token in it": (Failure(200, json.dumps({"token_type": "bearer"}), "application/json"), ""),
}


@pytest.mark.parametrize("title", FAILURES)
def test_a_failed_grant(scene, title):
    failure, words = FAILURES[title]
    found = scene()
    found.server.failures = [failure] * 50
    told = found.ask().problem(502, "http_request_denied")
    assert words in told and str(failure.status) in told and "password grant" in told, told
    for _ in range(30):
        found.ask().problem(502, "http_request_denied")
    # The pauses between attempts grow: however long these requests take, few of them are attempts.
    assert len(found.server.token_requests) <= 10, "not with every request"
    found.server.failures = []
    wait_until(lambda: found.ask().status == 200, "the grant to be tried again")


def test_a_refresh_token_is_not_sent_twice_to_a_provider_that_is_down(scene):
    """A refresh that fails for another reason than the token is no reason to send the password in answer to it. But the
    provider may have taken the token for used."""
    found = scene()
    found.ask().verified()
    found.server.revoke_access_tokens()
    found.server.failures = [Failure(503, "Over capacity")]
    assert found.ask().status in (401, 502)
    found.ask_until_renewed()
    assert found.server.kinds == ["password", "refresh", "password"]


def test_secrets_that_the_provider_echoes_are_scrubbed(scene):
    """oPRO says the client's secret back when it refuses."""
    found = scene(oPRO=True)
    found.server.users["alice"] = "another"
    answer = found.ask()
    assert "Could not find a user" in answer.problem(502, "http_request_denied")
    assert found.server.client.secret not in answer.body.decode()


def test_a_token_that_is_refused_again_is_the_clients_answer(scene, world):
    found = scene()
    found.ask().verified()

    def refuse(call):
        call.read_body()
        call.respond(401, [("WWW-Authenticate", 'Bearer error="invalid_token"')], "no more")

    path = world.provider.route(refuse)
    answer = ask(found.paraph, f"{world.URL}{path}")
    assert (answer.status, answer.body) == (401, b"no more")
    assert len(world.provider.requests_for(path)) == 2
    answer.diagnosis(401)


# Tokens that were issued by hand


def test_static_bearer_tokens(launch, world, client):
    def answer(call):
        call.read_body()
        values = [v.decode() for v in call.record.values("authorization")]
        call.respond(200, [("Content-Type", "application/json")], json.dumps(values))

    path = world.provider.route(answer)
    accounts = {"default": {"token": "EAAB-default"}, "alice": {"token": "EAAB-alice"}}
    api = {**world.api(accounts=accounts), "bearer": {}}
    del api["oauth1"]
    paraph = launch(world.configuration({"graph": api}))
    for account in ("default", "alice"):
        found = client.send(paraph, Request(f"{world.URL}{path}", headers={"Paraph-Account": account}))
        assert found.json == [f"Bearer EAAB-{account}"]


def test_a_proxy_that_waits_for_another_process_ends_at_the_second_signal(scene, world):
    found = scene()
    paraph = found.paraph
    (gate,) = paraph.folder.glob("**/.temporary")
    other = os.open(gate, os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)
    with paraph.raw(f"{world.HOST}:443") as busy:
        busy.send(request("GET", found.server.resource, world.HOST))
        wait_until(lambda: found.server.token_requests, "the token request")
        paraph.signal(signal.SIGTERM)
        wait_until(lambda: "stopping" in paraph.log(), "the first signal to be noticed")
        assert paraph.stop(number=signal.SIGTERM) == 1
    assert "something that is under way does not end" in paraph.log()
    os.close(other)
