"""Tokens that are fetched by reverse auth on first use, kept, and fetched again when the provider refuses them."""

import concurrent.futures
import json

import pytest

from harness.applications import Failure
from harness.clients import CURL, Request
from harness.raw import ask, request
from harness.waiting import LIMIT, wait_until

WORDS = "Failed to validate oauth signature and token"


@pytest.fixture
def configuration(world, application):
    accounts = {"default": world.reverse_auth_account(application)}
    return world.configuration({"main": world.api((world.HOST,), application, accounts)})


def counts(application):
    return application.reverse_auth.first_steps, application.reverse_auth.second_steps


def test_a_token_is_fetched_on_first_use(launch, configuration, world, application, client):
    paraph = launch(configuration)
    assert counts(application) == (0, 0), "nothing is fetched before it is needed"
    for _ in range(3):
        answer = client.send(
            paraph, Request(f"{world.URL}/x?a=1", "POST", {"Content-Type": "application/x-www-form-urlencoded"}, b"b=2")
        )
        assert answer.verified()["user"] == "reverse"
    assert counts(application) == (1, 1)


def test_fifty_clients_at_once_and_one_exchange(launch, configuration, world, application):
    paraph = launch(configuration)
    application.reverse_auth.gate.clear()
    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        waiting = [pool.submit(CURL.send, paraph, Request(f"{world.URL}/x?n={n}")) for n in range(50)]
        assert application.reverse_auth.reached.wait(LIMIT)
        wait_until(lambda: paraph.established() >= 50, "fifty connections")
        assert not any(w.done() for w in waiting)
        application.reverse_auth.gate.set()
        answers = [w.result(LIMIT) for w in waiting]
    assert {a.verified()["user"] for a in answers} == {"reverse"}
    assert counts(application) == (1, 1)


def test_the_token_survives_a_restart(launch, configuration, world, application):
    paraph = launch(configuration)
    ask(paraph, f"{world.URL}/x").verified()
    assert paraph.stop() == 0
    paraph.start()
    ask(paraph, f"{world.URL}/x").verified()
    paraph.kill()
    paraph.start()
    ask(paraph, f"{world.URL}/x").verified()
    assert counts(application) == (1, 1)


def test_the_vault_is_sealed_and_private(launch, configuration, world, application):
    paraph = launch(configuration)
    ask(paraph, f"{world.URL}/x").verified()
    state = paraph.folder / "state"
    assert (state / "vault").stat().st_mode & 0o777 == 0o700
    files = [f for f in (state / "vault").rglob("*") if f.is_file()]
    assert files
    for file in [*files, state / "ca.key", state / "vault.key"]:
        assert file.stat().st_mode & 0o777 == 0o600, file
    token = application.reverse_auth.issued[0]
    for file in files:
        content = file.read_bytes()
        assert token.secret.encode() not in content and token.value.encode() not in content


def test_accounts_have_tokens_of_their_own(launch, world, provider, application):
    accounts = {name: world.reverse_auth_account(application) for name in ("default",)}
    accounts["second"] = accounts["default"]
    paraph = launch(world.configuration({"main": world.api((world.HOST,), application, accounts)}))
    for account in ("default", "second", "default", "second"):
        ask(paraph, f"{world.URL}/x", fields=[("Paraph-Account", account)]).verified()
    assert counts(application) == (2, 2)


def test_other_accounts_do_not_wait(launch, world, application):
    accounts = {"default": world.reverse_auth_account(application), "ready": world.issued(application.issue("ready"))}
    paraph = launch(world.configuration({"main": world.api((world.HOST,), application, accounts)}))
    application.reverse_auth.gate.clear()
    with paraph.raw(f"{world.HOST}:443") as waiting:
        waiting.send(request("GET", "/x", world.HOST))
        assert application.reverse_auth.reached.wait(LIMIT)
        answer = ask(paraph, f"{world.URL}/x", fields=[("Paraph-Account", "ready")])
        assert answer.verified()["user"] == "ready"
        application.reverse_auth.gate.set()
        assert waiting.receive().verified()["user"] == "reverse"


def test_a_waiter_that_leaves_disturbs_nobody(launch, configuration, world, application):
    paraph = launch(configuration)
    application.reverse_auth.gate.clear()
    leaving = [paraph.raw(f"{world.HOST}:443") for _ in range(5)]
    with paraph.raw(f"{world.HOST}:443") as staying:
        for client in [*leaving, staying]:
            client.send(request("GET", "/x", world.HOST))
        assert application.reverse_auth.reached.wait(LIMIT)
        for client in leaving:
            client.close()
        application.reverse_auth.gate.set()
        assert staying.receive().verified()["user"] == "reverse"
    assert counts(application) == (1, 1)


FAILURES = {
    "step 1, 401": (1, Failure(401, WORDS), WORDS),
    "step 1, JSON with a code": (
        1,
        Failure(
            401, json.dumps({"errors": [{"code": 32, "message": "Could not authenticate you"}]}), "application/json"
        ),
        "Could not authenticate you",
    ),
    "step 1, success that is none": (
        1,
        Failure(200, json.dumps({"errors": [{"code": 87, "message": "Client is not permitted"}]}), "application/json"),
        "Client is not permitted",
    ),
    "step 1, 503": (1, Failure(503, "Over capacity"), "Over capacity"),
    "step 1, nothing": (1, Failure(200, ""), ""),
    "step 2, 401": (2, Failure(401, WORDS), WORDS),
    "step 2, credentials": (
        2,
        Failure(400, "Reverse auth credentials are invalid"),
        "Reverse auth credentials are invalid",
    ),
    "step 2, no token in it": (2, Failure(200, "user_id=1&screen_name=x"), ""),
    "step 2, JSON with a code": (
        2,
        Failure(200, json.dumps({"errors": [{"code": 89, "message": "Invalid or expired token"}]}), "application/json"),
        "Invalid or expired token",
    ),
    "step 2, 500": (2, Failure(500, "<html>Oops \x01\x1b[31m</html>"), "Oops"),
}


@pytest.mark.parametrize("title", FAILURES)
def test_a_failed_exchange_is_told_to_each_waiter(launch, configuration, world, application, title):
    step, failure, words = FAILURES[title]
    paraph = launch(configuration)
    application.reverse_auth.failures[step] = failure
    application.reverse_auth.gate.clear()
    waiting = [paraph.raw(f"{world.HOST}:443") for _ in range(6)]
    for client in waiting:
        client.send(request("GET", "/x", world.HOST))
    assert application.reverse_auth.reached.wait(LIMIT)
    wait_until(lambda: all(map(paraph.has_read_everything, waiting)), "all of them to wait")
    application.reverse_auth.gate.set()
    for client in waiting:
        answer = client.receive()
        told = answer.problem(502, "http_request_denied")
        assert words in told, told
        assert str(failure.status) in told
        assert "step" in told.lower() and str(step) in told or ("request_token", "access_token")[step - 1] in told, told
        assert "\x01" not in told and "\x1b" not in told
        client.close()
    assert counts(application)[0] == 1


def test_a_failed_exchange_is_tried_again_after_a_while(launch, configuration, world, application):
    paraph = launch(configuration)
    application.reverse_auth.failures[1] = Failure(503, "Over capacity")
    for _ in range(30):
        ask(paraph, f"{world.URL}/x").problem(502, "http_request_denied")
    # The pauses between attempts grow: however long these requests take, few of them are attempts.
    assert counts(application)[0] <= 10, "not with every request"
    application.reverse_auth.failures.clear()
    wait_until(lambda: ask(paraph, f"{world.URL}/x").status == 200, "the exchange to be tried again")
    assert counts(application)[1] == 1


def test_secrets_that_the_provider_echoes_are_scrubbed(launch, configuration, world, application):
    """Some providers say the secret back in their error."""
    paraph = launch(configuration)
    platform = application.reverse_auth.platform_token
    application.reverse_auth.failures[2] = Failure(401, f"bad secret {platform.secret} for {application.secret} indeed")
    answer = ask(paraph, f"{world.URL}/x")
    assert "indeed" in answer.problem(502, "http_request_denied")
    assert platform.secret not in answer.body.decode() and application.secret not in answer.body.decode()


# A token that is refused later


def test_a_refused_token_is_fetched_again_and_the_request_repeated(launch, configuration, world, application, client):
    paraph = launch(configuration)
    form = Request(f"{world.URL}/x?a=1", "POST", {"Content-Type": "application/x-www-form-urlencoded"}, b"b=2&c=%2F")
    client.send(paraph, form).verified()
    application.reverse_auth.issued[0].revoked = True
    description = client.send(paraph, form).verified()
    assert description["body_length"] == 9
    assert counts(application) == (2, 2)
    client.send(paraph, Request(f"{world.URL}/x")).verified()
    assert counts(application) == (2, 2)


def test_the_new_token_survives_a_restart(launch, configuration, world, application):
    paraph = launch(configuration)
    ask(paraph, f"{world.URL}/x").verified()
    application.reverse_auth.issued[0].revoked = True
    ask(paraph, f"{world.URL}/x").verified()
    paraph.kill()
    paraph.start()
    ask(paraph, f"{world.URL}/x").verified()
    assert counts(application) == (2, 2)


def test_fifty_requests_with_a_refused_token_and_one_exchange(launch, configuration, world, application):
    paraph = launch(configuration)
    ask(paraph, f"{world.URL}/x").verified()
    clients = [paraph.raw(f"{world.HOST}:443") for _ in range(50)]
    application.reverse_auth.issued[0].revoked = True
    for number, client in enumerate(clients):
        client.send(request("GET", f"/x?n={number}", world.HOST))
    for client in clients:
        assert client.receive().verified()["user"] == "reverse"
        client.close()
    assert counts(application) == (2, 2)


def test_a_token_that_is_refused_again_is_the_clients_answer(launch, configuration, world, provider, application):
    """Never more than one repetition; what the provider says then goes to the client."""
    paraph = launch(configuration)

    def refuse(call):
        call.verify()
        call.respond(401, [("WWW-Authenticate", 'OAuth oauth_problem="token_rejected"')], "no more")

    path = provider.route(refuse)
    answer = ask(paraph, f"{world.URL}{path}")
    assert (answer.status, answer.body) == (401, b"no more")
    assert not answer.from_the_proxy
    assert len(provider.requests_for(path)) == 2
    assert counts(application) == (2, 2)


PROBLEMS = {
    "token_rejected": ("oauth_problem=token_rejected", True),
    "token_expired": ("oauth_problem=token_expired&oauth_problem_advice=x", True),
    "token_revoked": ("oauth_problem=token_revoked", True),
    "X's code 89": (json.dumps({"errors": [{"code": 89, "message": "Invalid or expired token."}]}), True),
    "signature_invalid": ("oauth_problem=signature_invalid", False),
    "permission_denied": ("oauth_problem=permission_denied", False),
}


@pytest.mark.parametrize("title", PROBLEMS)
def test_which_refusals_mean_the_token(launch, configuration, world, provider, application, title):
    text, means_the_token = PROBLEMS[title]
    paraph = launch(configuration)
    state = {"refuse": 1}

    def handler(call):
        call.verify()
        if state["refuse"]:
            state["refuse"] -= 1
            kind = "application/json" if text.startswith("{") else "application/x-www-form-urlencoded"
            call.respond(401, [("Content-Type", kind)], text)
        else:
            call.answer()

    path = provider.route(handler)
    answer = ask(paraph, f"{world.URL}{path}")
    if means_the_token:
        answer.verified()
    else:
        assert (answer.status, answer.body) == (401, text.encode())
    assert counts(application) == ((2, 2) if means_the_token else (1, 1))


def test_a_streamed_body_is_not_repeated_but_the_next_request_is_signed_anew(launch, configuration, world, application):
    paraph = launch(configuration)
    ask(paraph, f"{world.URL}/x").verified()
    application.reverse_auth.issued[0].revoked = True
    body = b"x" * (8 << 20)
    answer = CURL.send(paraph, Request(f"{world.URL}/x", "PUT", {"Content-Type": "application/octet-stream"}, body))
    assert answer.status in (200, 401)
    ask(paraph, f"{world.URL}/x").verified()
    assert counts(application) == (2, 2)


def test_an_issued_token_that_is_refused_is_the_clients_answer(launch, world, provider, curl):
    """A token of the configuration cannot be fetched again."""
    application = provider.new_application()
    paraph = launch(world.configuration({"main": world.api((world.HOST,), application)}))
    curl.send(paraph, Request(f"{world.URL}/x")).verified()
    for token in application.tokens.values():
        token.revoked = True
    answer = curl.send(paraph, Request(f"{world.URL}/x"))
    assert answer.status == 401 and answer.json["refused"].startswith("token_revoked")


def test_too_many_waiters(launch, configuration, world, application):
    configuration["limits"] = {"exchange_waiters": 3}
    paraph = launch(configuration)
    application.reverse_auth.gate.clear()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(ask, paraph, f"{world.URL}/x") for _ in range(8)]
        early = concurrent.futures.as_completed(asked, LIMIT)
        for _ in range(5):
            answer = next(early).result()
            answer.problem(503, "connection_limit_reached")
            assert int(answer.value("retry-after")) >= 0
        application.reverse_auth.gate.set()
        answers = [a.result(LIMIT) for a in asked]
    assert sorted(a.status for a in answers) == [200] * 3 + [503] * 5
    assert counts(application) == (1, 1)
