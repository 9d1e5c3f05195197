"""Who a request is signed as, who may ask for it, and what becomes of the client's own credentials."""

import base64

import pytest

from harness.clients import Request
from harness.raw import ask


def basic(user, password=""):
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


# The field that names the account


@pytest.mark.parametrize("scheme", ["https", "http"])
@pytest.mark.parametrize("account", ["default", "alice", "bob"])
def test_paraph_account(paraph, world, client, scheme, account):
    answer = client.send(paraph, Request(f"{scheme}://{world.HOST}/x", headers={"Paraph-Account": account}))
    assert answer.verified()["user"] == account


def test_two_legged(paraph, world, curl):
    assert (
        curl.send(paraph, Request(f"{world.URL}/x", headers={"Paraph-Account": "app"})).verified()["user"] == "nobody"
    )


def test_the_account_is_chosen_for_each_request(paraph, world):
    with paraph.raw(f"{world.HOST}:443") as client:
        for account in ("alice", "bob", "default", "alice"):
            client.send(f"GET /x HTTP/1.1\r\nHost: {world.HOST}\r\nparaph-ACCOUNT: {account}\r\n\r\n")
            assert client.receive().verified()["user"] == account


@pytest.mark.parametrize("scheme", ["https", "http"])
@pytest.mark.parametrize("account", ["nobody", "Alice", "alice ", "", "../alice", "ali%63e", "a" * 300])
def test_an_unknown_account_is_refused(paraph, world, scheme, account):
    answer = ask(paraph, f"{scheme}://{world.HOST}/x", fields=[("Paraph-Account", account)])
    if account == "alice ":
        assert answer.verified()["user"] == "alice", "white space around a field's value is no part of it"
    elif account == "" and answer.status == 400:
        answer.problem(400, "http_request_error")
    else:
        answer.problem(403, "http_request_denied")


def test_two_accounts_at_once_are_refused(paraph, world):
    answer = ask(paraph, f"{world.URL}/x", fields=[("Paraph-Account", "alice"), ("Paraph-Account", "bob")])
    assert answer.from_the_proxy and answer.status in (400, 403)


# The proxy's user


@pytest.mark.parametrize("scheme", ["https", "http"])
@pytest.mark.parametrize("account", ["alice", "bob"])
def test_the_user_of_the_proxy(paraph, world, client, scheme, account):
    if "user" in client.cannot:
        pytest.skip(f"{client.name} sends no Proxy-Authorization before it is asked")
    assert (
        client.send(paraph, Request(f"{scheme}://{world.HOST}/x", user=f"{account}:any")).verified()["user"] == account
    )


def test_the_field_comes_before_the_user(paraph, world, curl):
    asked = Request(f"{world.URL}/x", user="alice:x", headers={"Paraph-Account": "bob"})
    assert curl.send(paraph, asked).verified()["user"] == "bob"


@pytest.mark.parametrize("scheme", ["https", "http"])
def test_an_unknown_user_is_refused(paraph, world, scheme):
    answer = ask(paraph, f"{scheme}://{world.HOST}/x", connect_fields=[("Proxy-Authorization", basic("nobody"))])
    answer.problem(403, "http_request_denied")


# Clients that have to say who they are


@pytest.fixture(scope="module")
def passwords(world):
    return {name: world.password() for name in ("billing", "reports", "ops")}


@pytest.fixture(scope="module")
def guarded(launch_for_session, world, passwords):
    clients = [
        {"name": "billing", "password": passwords["billing"], "apis": ["main"], "accounts": ["alice", "bob"]},
        {"name": "reports", "password": passwords["reports"], "apis": ["second"]},
        {"name": "ops", "password": passwords["ops"]},
    ]
    apis = {"main": world.api(), "second": world.api(["second.test.example"])}
    return launch_for_session(world.configuration(apis, {"clients": clients}))


@pytest.mark.parametrize("scheme", ["https", "http"])
@pytest.mark.parametrize(
    "kind", ["none", "wrong password", "unknown", "another's password", "empty", "not Basic", "not Base64", "no colon"]
)
def test_who_is_not_known_has_to_authenticate(guarded, world, passwords, scheme, kind):
    value = {
        "none": None,
        "wrong password": basic("billing", passwords["billing"] + "x"),
        "unknown": basic("nobody", passwords["billing"]),
        "another's password": basic("billing", passwords["ops"]),
        "empty": basic("billing", ""),
        "not Basic": "Bearer " + passwords["billing"],
        "not Base64": "Basic %%%",
        "no colon": "Basic " + base64.b64encode(b"billing").decode(),
    }[kind]
    fields = [("Proxy-Authorization", value)] if value else []
    answer = ask(guarded, f"{scheme}://{world.HOST}/x", connect_fields=fields)
    answer.problem(407, "http_request_denied")
    assert answer.value("proxy-authenticate").lower().startswith("basic realm=")


def test_tunnels_need_a_client_too(guarded, world):
    assert ask(guarded, f"https://{world.other.address}/x").status == 407


@pytest.mark.parametrize("scheme", ["https", "http"])
def test_a_client_names_the_account_after_a_plus(guarded, world, client, passwords, scheme):
    if "user" in client.cannot:
        pytest.skip(f"{client.name} sends no Proxy-Authorization before it is asked")
    for account in ("alice", "bob"):
        asked = Request(f"{scheme}://{world.HOST}/x", user=f"billing+{account}:{passwords['billing']}")
        assert client.send(guarded, asked).verified()["user"] == account


@pytest.mark.parametrize(
    "user, host, account, status",
    [
        ("billing", "api.test.example", "alice", 200),
        ("billing", "api.test.example", None, 403),
        ("billing", "api.test.example", "default", 403),
        ("billing", "second.test.example", "alice", 403),
        ("reports", "api.test.example", None, 403),
        ("reports", "second.test.example", None, 200),
        ("reports", "second.test.example", "bob", 200),
        ("ops", "api.test.example", None, 200),
        ("ops", "second.test.example", "bob", 200),
        ("ops", "second.test.example", "nobody", 403),
    ],
)
@pytest.mark.parametrize("scheme", ["https", "http"])
def test_what_a_client_may(guarded, passwords, scheme, user, host, account, status):
    answer = ask(
        guarded,
        f"{scheme}://{host}/x",
        fields=[("Paraph-Account", account)] if account else [],
        connect_fields=[("Proxy-Authorization", basic(user, passwords[user]))],
    )
    if status == 200:
        assert answer.verified()["user"] == (account or "default")
    else:
        answer.problem(status, "http_request_denied")


def test_curl_is_asked_and_then_answers(guarded, world, curl, passwords):
    asked = Request(f"http://{world.HOST}/x", user=f"ops:{passwords['ops']}")
    curl.send(guarded, asked, "--proxy-anyauth").verified()


# The client's own Authorization


@pytest.fixture(scope="module")
def three_ways(launch_for_session, world):
    apis = {
        way: world.api([f"{way}.test.example"], signing={"on_existing_authorization": way})
        for way in ("replace", "keep", "refuse")
    }
    return launch_for_session(world.configuration(apis))


OWN = {"Authorization": "Bearer of-my-own"}


def authorization_of(description):
    return [v for n, v in description["fields"] if n.lower() == "authorization"]


def test_an_authorization_is_replaced_by_default(paraph, world, client):
    description = client.send(paraph, Request(f"{world.URL}/x", headers=OWN)).verified()
    assert len(authorization_of(description)) == 1


def test_an_authorization_is_replaced(three_ways, curl):
    curl.send(three_ways, Request("https://replace.test.example/x", headers=OWN)).verified()


def test_an_authorization_is_kept(three_ways, provider, client):
    answer = client.send(three_ways, Request("https://keep.test.example/x", headers=OWN))
    record = provider.records[int(answer.value("x-record"))]
    assert answer.status == 401 and record.values("authorization") == [b"Bearer of-my-own"]
    client.send(three_ways, Request("https://keep.test.example/x")).verified()


def test_an_authorization_is_refused(three_ways, client):
    answer = client.send(three_ways, Request("https://refuse.test.example/x", headers=OWN))
    assert answer.status in (400, 403)
    answer.problem(answer.status, "http_request_denied", "http_request_error")
    client.send(three_ways, Request("https://refuse.test.example/x")).verified()
