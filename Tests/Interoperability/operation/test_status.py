"""`GET /status` of the admin listener, and `paraph status`: what an operator asks first."""

import base64
import concurrent.futures
import json
import re
import subprocess

import pytest

from conftest import HERE
from harness.applications import KNOWN_SECRETS, Failure, secret
from harness.certificates import public_key_pin
from harness.raw import ask
from harness.reload import UNUSED
from harness.waiting import LIMIT, wait_until

LOGIN = {"request_token_url": "request", "authorize_url": "authorize", "access_token_url": "access"}


@pytest.fixture
def accounts(world, application):
    """One of each way to a token: written down, exchanged, and fetched by a person."""
    person = {name: f"{world.URL}/{path}" for name, path in LOGIN.items()}
    return {
        "default": world.reverse_auth_account(application),
        "written": world.issued(application.issue("written")),
        "person": {"three_legged": {**person, "callback": "oob"}},
    }


def curl(paraph, path="/status", *options):
    """Status and body of a GET by curl."""
    url = f"http://{paraph.addresses['admin']}{path}"
    done = subprocess.run(
        ["curl", "-sS", "--noproxy", "*", "-w", "\n%{http_code}", *options, url],
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=True,
    )
    body, _, status = done.stdout.rpartition("\n")
    assert not KNOWN_SECRETS.found_in(body), f"a secret in the status: {body}"
    return int(status), body


def status(paraph):
    code, body = curl(paraph)
    assert code == 200, body
    return json.loads(body)


def account(told, name):
    return next(one for one in told["accounts"] if one["account"] == name)


def kinds(told):
    return [one["kind"] for one in told["problems"]]


def shape(value):
    """The members of objects, and those of every element of a list together."""
    if isinstance(value, dict):
        return {name: shape(member) for name, member in value.items()}
    if isinstance(value, list):
        members = [shape(element) for element in value if isinstance(element, dict)]
        return {name: found for element in members for name, found in element.items()}
    return None


def test_the_documented_answer(launch, world, application, accounts):
    """docs/admin.md has every member of an answer, and no other."""
    page = (HERE.parent.parent / "docs" / "admin.md").read_text()
    examples = re.findall(r"```json\n(.*?)```", page, re.S)
    (example,) = [json.loads(one) for one in examples if "uptime_seconds" in one]
    pinning = {"mode": "public_key", "pins": [UNUSED, UNUSED.replace("A", "B")]}
    pinned = world.api(application=application, accounts=accounts, tls={"pinning": pinning})
    other = world.api(["b.wild.test.example"])
    paraph = launch(world.configuration({"main": pinned, "other": other}))
    assert ask(paraph, f"{world.URL}/x").status == 502
    limited = world.provider.route(lambda call: call.respond(429, [("Retry-After", "7")], "slow down"))
    assert ask(paraph, f"https://b.wild.test.example{limited}").status == 429
    told = status(paraph)
    expected = shape(example)
    assert list(told) == list(example) and shape(told)["problems"] == expected["problems"]
    for name in ("configuration", "listeners", "usage", "authority", "store"):
        assert list(shape(told)[name]) == list(expected[name])
    for name in ("apis", "accounts"):
        assert list(told[name][0]) == list(example[name][0])
    exchanges = [[one["last_exchange"] for one in each["accounts"] if one["last_exchange"]] for each in (told, example)]
    assert list(exchanges[0][0]) == list(exchanges[1][0])
    assert list(told["apis"][0]["pins"][0]) == list(example["apis"][0]["pins"][0])
    limits = [next(one["rate_limits"] for one in each["apis"] if one["rate_limits"]) for each in (told, example)]
    assert shape(limits[0]) == shape(limits[1])
    for name in ("clock", "connections"):
        assert list(told["apis"][0][name]) == list(example["apis"][0][name])


def test_all_is_well(launch, world):
    paraph = launch(world.configuration({"main": world.api(gateway={"listen": "127.0.0.1:0"})}))
    told = status(paraph)
    assert told["not_ready"] == told["problems"] == []
    assert {one["purpose"]: one["address"] for one in told["listeners"]}.items() >= {
        "proxy": paraph.addresses["proxy"],
        "admin": paraph.addresses["admin"],
    }.items()
    assert [one["purpose"] for one in told["listeners"]] == ["proxy", "admin", "gateway"]
    assert told["configuration"]["file"].endswith(paraph.file.name) and told["configuration"]["last_reload"] is None
    api = told["apis"][0]
    assert (api["name"], api["hosts"], api["scheme"]) == ("main", [world.HOST], "https")
    assert (api["authorization"], api["signature_method"]) == ("oauth1", "HMAC-SHA1")
    assert api["clock"] == {"follows": True, "offset_seconds": None}
    assert {one["state"] for one in told["accounts"]} == {"ready"}
    directory = {"kind": "directory", "reachable": True, "reason": None, "revision": None, "turns": []}
    assert told["store"].items() >= directory.items() and told["store"]["name"].endswith("vault"), told["store"]
    fingerprint = subprocess.run(
        ["openssl", "x509", "-in", paraph.ca, "-noout", "-fingerprint", "-sha256"], capture_output=True, text=True
    )
    assert told["authority"]["sha256"] == fingerprint.stdout.strip().partition("=")[2]
    paraph.name_ports()
    code, said = paraph.command("status")
    assert code == 0 and said.endswith("\n\nNothing is wrong.\n"), said
    assert f"proxy            {paraph.addresses['proxy']}" in said
    code, said = paraph.command("status", "--json")
    again = json.loads(said)
    assert code == 0 and list(again) == list(told)
    for varying in ("time", "uptime_seconds", "usage"):
        again.pop(varying), told.pop(varying)
    assert again == told
    assert paraph.command("--version")[1].split()[1] == told["version"]


def test_who_waits_for_a_token(launch, world, application):
    """The first eight clients, by name and address, each with the number of its requests."""
    names = [f"client{number}" for number in range(9)]
    password = world.password()
    apis = {"main": world.api(application=application, accounts={"default": world.reverse_auth_account(application)})}
    paraph = launch(world.configuration(apis, access={"clients": [{"name": n, "password": password} for n in names]}))
    application.reverse_auth.gate.clear()

    def send(name):
        login = base64.b64encode(f"{name}:{password}".encode()).decode()
        return ask(paraph, f"{world.URL}/x", connect_fields=[("Proxy-Authorization", f"Basic {login}")])

    def waiting():
        return account(status(paraph), "default")["waiting"]

    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        answers = []
        try:
            for number, name in enumerate([names[0], names[0], *names[1:]]):
                answers.append(pool.submit(send, name))
                wait_until(lambda: waiting() == number + 1, f"{number + 1} requests that wait")
            waiters = account(status(paraph), "default")["waiters"]
        finally:
            application.reverse_auth.gate.set()
        assert [answer.result(LIMIT).status for answer in answers] == [200] * 10
    told = [(one["client"], one["address"], one["requests"]) for one in waiters]
    assert told == [(name, "127.0.0.1", 2 if name == names[0] else 1) for name in names[:8]]


def test_accounts_and_their_tokens(launch, world, application, accounts):
    paraph = launch(world.configuration({"main": world.api(application=application, accounts=accounts)}))
    told = status(paraph)
    assert [(one["account"], one["source"], one["state"]) for one in told["accounts"]] == [
        ("default", "reverse_auth", "none_yet"),
        ("written", "issued", "ready"),
        ("person", "three_legged", "needs_login"),
    ]
    assert kinds(told) == ["account_needs_login"]
    application.reverse_auth.gate.clear()
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        answer = pool.submit(ask, paraph, f"{world.URL}/x")
        assert application.reverse_auth.reached.wait(LIMIT)
        default = account(status(paraph), "default")
        assert default["waiting"] == 1
        (waiter,) = default["waiters"]
        since = waiter.pop("since")
        assert waiter == {"client": None, "address": "127.0.0.1", "requests": 1} and told["time"] <= since
        application.reverse_auth.gate.set()
        assert answer.result(LIMIT).verified()["user"] == "reverse"
    told = status(paraph)
    default = account(told, "default")
    assert (default["state"], default["waiting"], default["last_exchange"]["result"]) == ("ready", 0, "succeeded")
    assert default["waiters"] == []
    assert default["obtained"] == default["last_exchange"]["time"] and account(told, "written")["obtained"] is None
    assert told["apis"][0]["connections"]["in_use"] == 0 and told["apis"][0]["connections"]["idle"] > 0
    code, body = curl(paraph, "/accounts/main/default")
    assert code == 200 and json.loads(body) == default
    assert curl(paraph, "/accounts/main/nobody")[0] == 404
    paraph.name_ports()
    code, said = paraph.command("status")
    assert code == 2, said
    assert re.search(r"main +default +reverse_auth +ready +\d+ (s|min) ", said), said
    assert re.search(r"main +written +issued +ready +configured ", said), said
    assert "needs paraph login" in said and "fix: paraph login main --account person --config " in said
    # What is said to help does.
    assert paraph.command("accounts", "remove", "main", "default")[0] == 0
    wait_until(lambda: account(status(paraph), "default")["state"] == "none_yet", "the removed token to be forgotten")


def test_a_failed_exchange(launch, world, application, accounts):
    paraph = launch(world.configuration({"main": world.api(application=application, accounts=accounts)}))
    application.reverse_auth.failures[1] = Failure(401, "Failed to validate oauth signature and token")
    assert ask(paraph, f"{world.URL}/x").status == 502
    told = status(paraph)
    default = account(told, "default")
    assert (default["state"], default["last_exchange"]["result"]) == ("failing", "failed")
    assert default["last_exchange"]["reason"] == "exchange_signature_refused"
    assert kinds(told) == ["exchange_failed", "account_needs_login"]


def test_pins_without_a_backup(launch, world, certificates):
    """A warning alone, and its exit code."""
    pins = [public_key_pin(certificates.good.leaf), public_key_pin(certificates.root.certificate)]
    pinned = world.api(tls={"pinning": {"mode": "public_key", "pins": pins}})
    paraph = launch(world.configuration({"main": pinned}))
    assert status(paraph)["problems"] == []
    assert ask(paraph, f"{world.URL}/x").status == 200
    told = status(paraph)
    (host,) = told["apis"][0]["hosts_without_backup_pin"]
    assert host.startswith(world.HOST) and told["apis"][0]["pins"][0]["count"] == 2
    assert kinds(told) == ["no_backup_pin"]
    paraph.name_ports()
    code, said = paraph.command("status")
    assert code == 1 and f"fix: paraph pins {host}" in said, said


def test_a_clock_that_is_followed(launch, world, provider):
    paraph = launch(world.configuration())
    provider.clock_ahead = 412
    try:
        assert ask(paraph, f"{world.URL}/x").verified()
        told = status(paraph)
    finally:
        provider.clock_ahead = 0
    assert told["apis"][0]["clock"]["follows"] is True and 400 < told["apis"][0]["clock"]["offset_seconds"] < 420
    assert kinds(told) == ["clock_apart"]


def wrong(paraph, *expected):
    """What is wrong, by its kinds, and the exit code of `paraph status` that goes with it."""
    told = status(paraph)
    assert kinds(told) == list(expected), told["problems"]
    severities = {one["severity"] for one in told["problems"]}
    code, said = paraph.command("status")
    assert code == (2 if "error" in severities else 1 if severities else 0), said
    for one in told["problems"]:
        assert f"fix: {one['remedy']}" in said, said
    return told["problems"]


def reload(paraph, configuration):
    paraph.reconfigure(configuration)
    assert paraph.administer("POST", "/reload").status == 200
    paraph.name_ports()


def test_a_wrong_pin(launch, world):
    """It is wrong until a request goes through."""
    pinning = {"mode": "public_key", "pins": [UNUSED, UNUSED.replace("A", "B")]}
    paraph = launch(world.configuration({"main": world.api(tls={"pinning": pinning})}))
    paraph.name_ports()
    wrong(paraph)
    assert ask(paraph, f"{world.URL}/x").status == 502
    (problem,) = wrong(paraph, "certificate_refused")
    assert (problem["severity"], problem["api"], problem["account"]) == ("error", "main", None)
    assert f"{world.HOST}:443" in problem["message"] and "no certificate on it has one of the pins" in problem["message"]
    assert re.fullmatch(rf"paraph pins --config \S+ {world.HOST}:443 .*", problem["remedy"])
    reload(paraph, world.configuration({"main": world.api()}))
    wrong(paraph, "certificate_refused")
    assert ask(paraph, f"{world.URL}/x").status == 200
    wrong(paraph)


def test_pins_that_only_report(launch, world):
    """Two warnings: what is so, and that the configuration has it so."""
    pinning = {"mode": "public_key", "pins": [UNUSED, UNUSED.replace("A", "B")], "on_failure": "report"}
    paraph = launch(world.configuration({"main": world.api(tls={"pinning": pinning})}))
    paraph.name_ports()
    (advice,) = wrong(paraph, "configuration")
    assert ":" in advice["message"] and "apis.main.tls.pinning.on_failure is report" in advice["message"]
    assert advice["message"].partition(": ")[2] in paraph.command("check")[1]
    assert ask(paraph, f"{world.URL}/x").status == 200
    problem, _ = wrong(paraph, "pins_reported", "configuration")
    assert problem["severity"] == "warning" and "is used all the same" in problem["message"]
    reload(paraph, world.configuration({"main": world.api()}))
    wrong(paraph)


def test_an_upstream_that_is_stopped(launch, world, provider, certificates):
    listener = provider.listen(certificates.good)
    listener.closes = True
    paraph = launch(world.configuration({"main": world.api(connect_to=listener)}))
    paraph.name_ports()
    assert ask(paraph, f"{world.URL}/x").status == 200
    listener.close()
    assert ask(paraph, f"{world.URL}/x").status == 502
    (problem,) = wrong(paraph, "upstream_unreachable")
    assert problem["severity"] == "error" and "nothing listens there" in problem["message"]
    reload(paraph, world.configuration({"main": world.api()}))
    assert ask(paraph, f"{world.URL}/x").status == 200
    wrong(paraph)


def test_a_provider_that_refuses(launch, world, provider):
    refused = provider.route(lambda call: call.respond(401, [], "oauth_problem=token_rejected"))
    paraph = launch(world.configuration())
    paraph.name_ports()
    assert ask(paraph, f"{world.URL}{refused}").status == 401
    (problem,) = wrong(paraph, "provider_refuses")
    assert (problem["severity"], problem["api"], problem["account"]) == ("error", "main", "default")
    assert "with status 401" in problem["message"] and "Token refused" in problem["message"]
    assert ask(paraph, f"{world.URL}/x").status == 200
    wrong(paraph)


def test_rate_limits(launch, world, provider):
    """What the provider last told, of each account."""
    left = iter([14, 13])

    def limited(call):
        fields = [("x-rate-limit-limit", "15"), ("X-Rate-Limit-Remaining", str(next(left))), ("X-Limit-Token", "hidden")]
        call.respond(200, [("Content-Type", "text/plain"), *fields], "")

    path = provider.route(limited)
    paraph = launch(world.configuration())
    paraph.name_ports()
    ask(paraph, f"{world.URL}/x")
    assert [one["rate_limits"] for one in status(paraph)["apis"]] == [[], []]
    for _ in range(2):
        assert ask(paraph, f"{world.URL}{path}").status == 200
    ask(paraph, f"{world.URL}/x")
    (told,) = status(paraph)["apis"][0]["rate_limits"]
    assert told["account"] == "default"
    assert [(one["name"].lower(), one["value"]) for one in told["fields"]] == [
        ("x-rate-limit-limit", "15"),
        ("x-rate-limit-remaining", "13"),
        ("x-limit-token", "…"),
    ]
    code, said = paraph.command("status")
    assert code == 0 and re.search(r"main +default +\S+Z +x-rate-limit-limit: 15, X-Rate-Limit-Remaining: 13", said), said


def test_many_who_ask_at_once_are_all_answered(launch, world, application, accounts):
    paraph = launch(world.configuration({"main": world.api(application=application, accounts=accounts)}))
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: status(paraph), range(64)))
    assert all(one["accounts"] == answers[0]["accounts"] and len(one["accounts"]) == 3 for one in answers)


def test_a_refused_reload(launch, world):
    paraph = launch(world.configuration())
    good = paraph.configuration
    paraph.reconfigure({**good, "listne": {}})
    answer = paraph.administer("POST", "/reload")
    assert answer.status == 422
    told = status(paraph)
    reload = told["configuration"]["last_reload"]
    assert (reload["result"], reload["reason"]) == ("refused", "it has mistakes")
    assert reload["mistakes"] == answer.json["mistakes"]
    assert kinds(told) == ["reload_refused"] and told["problems"][0]["severity"] == "error"
    loaded = told["configuration"]["loaded"]
    paraph.reconfigure(good)
    assert paraph.administer("POST", "/reload").status == 204
    told = status(paraph)
    assert told["configuration"]["last_reload"]["result"] == "applied" and kinds(told) == []
    assert told["configuration"]["loaded"] >= loaded


def test_who_may_ask(launch, world):
    token = secret("admin")
    listen = {"proxy": "127.0.0.1:0", "admin": {"address": "127.0.0.1:0", "token": {"env": "ADMIN_TOKEN"}}}
    environment = {"ADMIN_TOKEN": token}
    paraph = launch(world.configuration(listen=listen), environment=environment)
    assert curl(paraph)[0] == curl(paraph, "/accounts/main/default")[0] == 401
    assert curl(paraph, "/status", "-H", "Authorization: Bearer wrong")[0] == 401
    assert curl(paraph, "/status", "-H", f"Authorization: Bearer {token}")[0] == 200
    address = {"address": paraph.addresses["admin"], "token": {"env": "ADMIN_TOKEN"}}
    paraph.reconfigure({**paraph.configuration, "listen": {"proxy": paraph.addresses["proxy"], "admin": address}})
    assert paraph.command("status", environment=environment)[0] == 0
    code, said = paraph.command("status", environment={"ADMIN_TOKEN": "wrong"})
    assert code == 77 and "listen.admin.token" in said, said
    code, said = paraph.command("status", environment={"ADMIN_TOKEN": ""})
    assert code == 65 and "ADMIN_TOKEN" in said, said


def test_a_page_of_another_site_is_told_nothing(paraph):
    assert curl(paraph, "/status", "-H", "Host: rebound.example")[0] == 403
    assert curl(paraph, "/status", "-H", "Origin: https://site.example")[0] == 403
    assert curl(paraph, "/status", "-H", "Sec-Fetch-Site: cross-site")[0] == 403


def test_nobody_answers(launch, world):
    paraph = launch(world.configuration())
    paraph.name_ports()
    paraph.may_end = True
    assert paraph.stop() == 0
    code, said = paraph.command("status")
    assert code == 69 and said.startswith("paraph: no proxy answers at "), said
