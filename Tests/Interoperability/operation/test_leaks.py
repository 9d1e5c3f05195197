"""No secret leaves Paraph but towards the provider it is for: every place for a secret has one that is known when it is
seen again, every command and failure is driven at the most verbose log level, and everything that came out is searched.
"""

import base64
import itertools
import json
import secrets
import signal
import threading
from pathlib import Path

import pytest

from harness import browser as browsers
from harness.canaries import FRAGMENT, Canaries, encodings
from harness.echoes import DIALECTS, EMPTY_HANDED, STYLES, Reply
from harness.estate import TAIL, VISIBLE_TAIL, RunningProxy
from harness.evidence import Command
from harness.raw import RawClient, request
from harness.rfc5849 import encode
from harness.waiting import LIMIT

FORM = [("Content-Type", "application/x-www-form-urlencoded")]
SOME_DIALECTS = list(DIALECTS)[::4]
# One for each dialect of an exchange, each answer that brings nothing, and each refresh.
FURTHER_ACCOUNTS = len(DIALECTS) + len(EMPTY_HANDED) + len(SOME_DIALECTS)


@pytest.fixture(scope="module", params=["json", "text"])
def proxy(request, estate):
    """The proxy that most tests share, at the most verbose level; once for each format of the log."""
    configuration = estate.configuration(form=request.param, accounts=FURTHER_ACCOUNTS, inspector={"keep": True})
    running = RunningProxy(estate, estate.folder / f"proxy-{request.param}", configuration)
    running.form = request.param
    yield running
    running.stop()
    estate.check(everything=True)


# The search itself


@pytest.mark.parametrize("tail", ["", TAIL])
def test_every_encoding_is_found(tail):
    canaries = Canaries()
    value = canaries.plant("secret", tail).encode()
    for name, encoded in encodings(value):
        found = canaries.find(b"some words before " + encoded + b" and behind", name)
        assert found, name
        assert found[0].secret == "secret #0" and found[0].where == name


@pytest.mark.parametrize("lead", range(5))
def test_base64_of_more_than_the_secret_is_found(lead):
    canaries = Canaries()
    value = b"x" * lead + canaries.plant("secret").encode() + b"yz"
    for write in (base64.b64encode, base64.urlsafe_b64encode):
        assert canaries.find(write(value), "base64")


@pytest.mark.parametrize("cut", [slice(FRAGMENT), slice(-FRAGMENT, None), slice(7, 7 + FRAGMENT)])
def test_a_part_of_a_secret_is_found(cut):
    canaries = Canaries()
    value = canaries.plant("secret").encode()
    for name, encoded in encodings(value[cut]):
        assert canaries.find(b"\xff" + encoded + b"\xff", name), name


def test_what_is_no_secret_is_not_found():
    canaries = Canaries()
    value = canaries.plant("secret", TAIL).encode()
    assert not canaries.find(value[: FRAGMENT - 1] + b"?" + secrets.token_bytes(100_000), "haystack")
    assert not canaries.find(base64.b64encode(secrets.token_bytes(100_000)), "haystack")


def test_evidence_is_searched(estate, tmp_path):
    """What a process says, its arguments and its files: each is looked at."""
    canary = estate.canaries.plant("planted on purpose")
    estate.check()
    script = "echo $1 > $2; echo $1; echo $1 >&2; read the_end"
    file = estate.folder / "planted"
    command = estate.evidence
    ran = Command(command, "a leaky process", ["sh", "-c", script, "sh", canary, str(file)], cwd=tmp_path)
    ran.wait_for(lambda text: text.count(canary) == 2, "both outputs")
    places = {f.where for f in command.findings()}
    ran.wait()
    file.unlink()
    command.findings()
    assert {"stdout of a leaky process", "stderr of a leaky process", "the file planted"} <= places
    assert any(p.startswith("the cmdline of process") for p in places), places
    command.entries.clear()
    command.searched = 0


# Requests through the proxy

EVERY_ACCOUNT = [
    ("signed", None),
    ("signed", "variable"),
    ("signed", "file"),
    ("signed", "reverse"),
    ("signed", "xauth"),
    ("signed", "app"),
    ("plain", None),
    ("plainquery", None),
    ("rsa", None),
    ("rsa", "file"),
    ("members", None),
    ("standard", None),
    ("facebook", None),
    ("proxied", None),
    ("proxied", "xauth"),
    ("identified", None),
]


def test_requests_of_every_kind_of_account(proxy):
    for api, account in EVERY_ACCOUNT:
        answer = proxy.ask(api, "/x?a=1", account=account)
        assert answer.status == 200 and answer.value("x-verified") == "yes", (api, account, answer)
        assert proxy.ask(api, "/x", "POST", FORM, b"a=1&b=2", account=account, plain=True).status == 200


def test_the_inspector(proxy, estate):
    """What the page and `paraph top` are told of requests that have secrets in every place."""
    fields = [("Cookie", f"sid={estate.plant('a cookie')}"), ("X-Api-Key", estate.plant("a key of the client's"))]
    query = f"/inspected?q=1&access_token={estate.plant('a token in a query', tail='')}"
    for api, account in EVERY_ACCOUNT:
        proxy.ask(api, query, fields=fields, account=account)
        form = f"a=1&password={estate.plant('a password in a form', tail='')}".encode()
        proxy.ask(api, query, "POST", [*FORM, *fields], form, account=account)
    for api in ("kept", "strict", "facebook"):
        own = ("Authorization", f"Bearer {estate.plant('the client own token')}")
        proxy.ask(api, "/inspected", fields=[own])
        basic = base64.b64encode(f"user:{estate.plant('the client own password')}".encode()).decode()
        proxy.ask(api, "/inspected", fields=[("Authorization", f"Basic {basic}")])
    listed = json.loads(proxy.admin("GET", "/requests").body)["requests"]
    shown = [one for one in listed if one["path"] == "/inspected"]
    assert len(shown) == 2 * len(EVERY_ACCOUNT) + 6
    details = [json.loads(proxy.admin("GET", f"/requests/{one['id']}").body) for one in listed]
    assert sum(one["signature"] is not None for one in details) >= 2 * len(EVERY_ACCOUNT) // 2
    assert all(any("access_token=…" in line for line in one["received"]) for one in details if one["query"] == query)
    with RawClient(proxy.admin_address) as client:
        client.send(request("GET", "/events", proxy.admin_address, [("Authorization", f"Bearer {estate.admin_token}")]))
        text = client.wire.until(b":\n\n")
        for api, account in EVERY_ACCOUNT:
            proxy.ask(api, query, fields=fields, account=account)
            text += client.wire.until(b"event: request")
            text += client.wire.until(b"\n\n")
    estate.evidence.add("the events of the admin listener", text)


def test_the_checks_of_the_doctor(proxy):
    """What `admin` answers is searched; so are the checks' findings of every API."""
    *findings, end = map(json.loads, proxy.admin("POST", "/doctor").body.splitlines())
    assert end["done"] and {"configuration", "vault", "local CA", "certificates", "clock"} <= {f["subject"] for f in findings}


@pytest.mark.skipif(not browsers.program(), reason="there is no chromium on this machine")
def test_every_view_of_the_inspector(proxy, estate, tmp_path):
    form = f"a=1&password={estate.plant('a password in a form', tail='')}".encode()
    for api, account in EVERY_ACCOUNT:
        proxy.ask(api, f"/v?code={estate.plant('a code in a query', tail='')}", "POST", FORM, form, account=account)
    browser = browsers.Browser(tmp_path / "browser")
    try:
        page = browser.page()
        page.open(f"http://{proxy.admin_address}/")
        page.value(f"sessionStorage.setItem('paraph.token', {json.dumps(estate.admin_token)})")
        page.open(f"http://{proxy.admin_address}/")
        page.wait(f"document.querySelectorAll('#rows tr').length >= {len(EVERY_ACCOUNT)}")
        for _ in EVERY_ACCOUNT:
            page.press("k")
            page.press("Enter")
            chosen = "document.querySelector('#rows tr[aria-current]').dataset.id"
            page.wait(f"document.querySelector('#detail .line')?.innerText.startsWith('#' + {chosen} + ' ')")
            estate.evidence.add("the detail of a request", page.value("document.documentElement.outerHTML"))
        for view in ("accounts", "apis", "ca", "health"):
            page.value(f"location.hash = '{view}'")
            page.wait(f"document.querySelector('#{view} h2')")
            if view == "health":
                page.value("document.querySelector('#health button').click()")
                page.wait("document.querySelector('#health [role=status]').innerText.startsWith('Done')")
                assert page.value("document.querySelectorAll('#health tbody tr').length") > len(set(dict(EVERY_ACCOUNT)))
            estate.evidence.add(f"the inspector's view {view}", page.value("document.documentElement.outerHTML"))
    finally:
        browser.end()


def test_parameters_in_the_body(proxy):
    assert proxy.ask("plainbody", "/x", "POST", FORM, b"a=1").status == 200
    proxy.ask("plainbody", "/x", "POST", [("Content-Type", "text/plain")], b"a=1")
    proxy.ask("plainbody", "/x")


def within_reach(estate, api):
    """What the provider knows, or is sent, with a request to `api`."""
    return {
        "signed": [estate.signed.secret, estate.tokens["default"].secret],
        "plain": [estate.plain.secret, estate.tokens["plain"].secret],
        "standard": [estate.client_secrets["standard"], estate.passwords["standard"]],
        "facebook": [estate.bearer],
    }[api]


@pytest.mark.parametrize("api", ["signed", "plain", "standard", "facebook"])
def test_refusals_that_echo(proxy, estate, api):
    """The provider refuses a request, and says a secret within its reach in its own dialect and several styles."""
    # How the provider is read does not hang on the log's format.
    count = 3 if proxy.form == "json" else 1
    styles = itertools.cycle(STYLES)
    dialects = DIALECTS if proxy.form == "json" else SOME_DIALECTS
    for dialect, style in ((d, s) for d in dialects for s in itertools.islice(styles, count)):
        for secret in within_reach(estate, api):
            path = f"/refused/{encode(dialect)}"
            estate.say(path, DIALECTS[dialect](STYLES[style](secret)))
            proxy.ask(api, path, plain=True)


@pytest.mark.parametrize("api", ["signed", "plain", "members", "standard", "facebook"])
def test_refusals_that_echo_what_was_sent(proxy, estate, api):
    """As before, but with the Authorization field as it came: a signature, the secrets themselves, a token."""
    dialects = DIALECTS if proxy.form == "json" else SOME_DIALECTS
    for dialect, part in itertools.product(dialects, [slice(None), slice(-60, None)]):
        path = f"/mirror/{encode(dialect)}"
        estate.script[path] = lambda call, d=dialect, p=part: DIALECTS[d](call.head.value(b"authorization").decode()[p])
        proxy.ask(api, path, plain=True)


def test_refusals_that_echo_the_clients_own_authorization(proxy, estate):
    """`kept` sends it on, the others replace or refuse it: nobody has to know it then."""
    for dialect in DIALECTS:
        own = estate.plant("the client's own Authorization", "_-.~")
        estate.say("/own", DIALECTS[dialect](own))
        for scheme in ("Bearer {}", "Basic {}", 'OAuth oauth_consumer_key="k", oauth_signature="{}", oauth_token="t"'):
            proxy.ask("kept", "/own", fields=[("Authorization", scheme.format(own))], plain=True)
            for api in ("signed", "strict"):
                proxy.ask(api, "/x", fields=[("Authorization", scheme.format(own))], plain=True)


def test_refusals_that_echo_the_secrets_of_the_request(proxy, estate):
    """What a client sends in fields and parameters with the names of secrets; the inspector shows the refusal, too."""
    styles = itertools.cycle(STYLES.values())
    json_type = [("Content-Type", "application/json")]
    for dialect in DIALECTS if proxy.form == "json" else SOME_DIALECTS:
        own = [estate.plant(f"a secret of the request {n}", "_-.~") for n in range(6)]
        places = [
            {"fields": [("Cookie", f"theme=dark; session={own[0]}")]},
            {"fields": [("X-Vault-Token", own[1])]},
            {"fields": [("X-Authorization", "Basic " + base64.b64encode(f"user:{own[2]}".encode()).decode())]},
            {"path": f"/own?page=2&next=%2Fb%3Faccess_token%3D{encode(own[3])}"},
            {"method": "POST", "fields": FORM, "body": f"a=b&password={encode(own[4])}".encode()},
            {"method": "POST", "fields": json_type, "body": json.dumps({"a": [{"api_key": own[5]}]}).encode()},
        ]
        for secret, place in zip(own, places):
            estate.say("/own", DIALECTS[dialect](next(styles)(secret)))
            proxy.ask("signed", place.pop("path", "/own"), plain=True, **place)
    for told in proxy.admin("GET", "/requests").json["requests"][-20:]:
        proxy.admin("GET", f"/requests/{told['id']}")
    proxy.admin("GET", "/status")


# Tokens that are not had

EXCHANGES = {
    "xauth": ("signed", ["/xauth/access_token"]),
    "reverse": ("signed", ["/oauth/request_token", "/oauth/access_token"]),
    "password": ("standard", ["/token/standard"]),
}


def sent_for_a_token(estate, kind):
    return {
        "xauth": [estate.signed.secret, estate.xauth_password],
        "reverse": [estate.signed.secret, estate.platform_token.secret],
        "password": [estate.client_secrets["standard"], estate.passwords["standard"]],
    }[kind]


@pytest.mark.parametrize("kind", EXCHANGES)
def test_exchanges_that_fail_and_echo(proxy, estate, kind):
    api, paths = EXCHANGES[kind]
    styles, accounts = itertools.cycle(STYLES), (f"{kind}{n}" for n in itertools.count())
    echoes = itertools.cycle(itertools.product(paths, sent_for_a_token(estate, kind)))
    for dialect in DIALECTS if proxy.form == "json" else SOME_DIALECTS:
        path, secret = next(echoes)
        estate.say(path, DIALECTS[dialect](STYLES[next(styles)](secret)))
        answer = proxy.ask(api, f"/{encode(dialect)}", account=next(accounts), plain=True)
        assert answer.from_the_proxy, f"{dialect}: {answer}"
    for title, write in EMPTY_HANDED.items():
        fresh = estate.plant(f"what comes with {title}", "_-.~")
        estate.say(paths[-1], write(sent_for_a_token(estate, kind)[1], fresh))
        proxy.ask(api, f"/{encode(title)}", account=next(accounts), plain=True)


def test_refreshes_that_fail_and_echo(proxy, estate):
    def echo(dialect, style):
        return lambda call: DIALECTS[dialect](style(call.record.body.decode()))

    styles = itertools.cycle(STYLES)
    for number, dialect in enumerate(SOME_DIALECTS, FURTHER_ACCOUNTS - len(SOME_DIALECTS)):
        estate.script = {}
        account = f"password{number}"
        assert proxy.ask("standard", "/x", account=account, plain=True).status == 200
        estate.say("/revoked", Reply(401, "", "text/plain", (("WWW-Authenticate", 'Bearer error="invalid_token"'),)))
        estate.script["/token/standard"] = echo(dialect, STYLES[next(styles)])
        proxy.ask("standard", "/revoked", account=account, plain=True)


# Upstreams that are not reached


def test_upstreams_that_are_not_reached(proxy, estate):
    for api in ("pinned", "untrusted", "down", "downmembers", "barred", "unidentified"):
        for account in estate.accounts[api]:
            for plain in (False, True):
                answer = proxy.ask(api, "/x?a=1", account=account, plain=plain)
                assert answer.from_the_proxy and answer.status in (403, 502, 503), (api, account, answer)
    go = threading.Event()
    estate.script["/slow"] = lambda call: go.wait(LIMIT) and Reply()
    assert proxy.ask("impatient", "/slow", plain=True).status == 504
    go.set()


# Clients


def test_clients_that_are_refused(proxy, estate):
    """What they present is theirs: nobody repeats it."""
    host, own = estate.host("signed"), estate.plant("what a client presents", "_-.~")
    basic = [
        f"billing:{own}",
        f"{own}:x",
        own,
        f"billing+{own}:{estate.client_passwords['limited']}",
        f"billing+x:{own}",
    ]
    fields = [f"Basic {base64.b64encode(pair.encode()).decode()}" for pair in basic]
    fields += [f"Basic {own}", f"Bearer {own}", own, f"Digest username=x, response={own}", f"Basic {own}\x01"]
    for number, value in enumerate(fields):
        line = [("Proxy-Authorization", value)]
        proxy.raw(request("GET", f"http://{host}/x", host, line), f"a client's credentials, {number}")
        proxy.raw(f"CONNECT {host}:443 HTTP/1.1\r\nHost: {host}\r\n{line[0][0]}: {value}\r\n\r\n", f"CONNECT, {number}")
    assert proxy.ask("signed", "/x", client="limited").status == 403
    assert proxy.ask("signed", "/x", account="unknown", plain=True).status == 403
    assert proxy.ask("signed", "/x", account="pin", plain=True).status == 403
    authorized = [proxy.credentials()]
    for number, data in enumerate(
        [
            request("GET", f"http://x:{own}@{host}/x", host, authorized),
            request(
                "GET", f"http://{host}/x?access_token={own}&oauth_token={own}&oauth_signature={own}", host, authorized
            ),
            request("GET", f"http://{host}/x", host, [*authorized, ("Authorization", f"Bearer {own}\x00")]),
            request("GET", f"http://{host}/x", host, [*authorized, ("Cookie", own), ("Transfer-Encoding", own)]),
            request(
                "POST", f"http://{host}/x", host, [*authorized, *FORM], f"password={own}&oauth_token={own}".encode()
            ),
            f"{own}\r\n\r\n",
            f"GET http://{host}/x HTTP/1.1\r\nHost: {host}\r\n{own} {own}\r\n\r\n",
        ]
    ):
        proxy.raw(data, f"a client's request, {number}")


# Reloads


def test_reloads_that_are_refused(proxy, estate):
    """What is wrong with a configuration is said in the log."""
    right = proxy.file.read_text()
    own = estate.plant("a secret where none belongs", VISIBLE_TAIL)
    broken = estate.in_file(estate.plant("a broken private key", ""))["file"]
    key = estate.identities["known"]["client_private_key"]
    url = f"http://{estate.ways_out['open'].address}"
    for old, new in (
        (url, url.replace("//", f"//paraph:{own}@")),
        (url, f"{url}/{own}"),
        (key, broken),
        (json.dumps(key), json.dumps(Path(key).read_text())),
        ("127.0.0.1:0", own),
    ):
        assert old in right
        estate.evidence.write(proxy.file, right.replace(old, new))
        refused = proxy.command.text.count("was not reloaded")
        proxy.command.process.send_signal(signal.SIGHUP)
        proxy.command.wait_for(lambda text, n=refused: text.count("was not reloaded") > n, f"a refusal of {new[:12]}")
    estate.evidence.write(proxy.file, right)
    assert proxy.ask("signed", "/x", plain=True).status == 200


# Enrolment


class Claims:
    """The passcodes of one user, and what echoes them."""

    def __init__(self, estate, user):
        self.estate, self.user = estate, user
        token = estate.signed.issue(user)
        bearer = estate.plant(f"bearer token of {user}", "/+=_-.~")
        estate.oauth2_tokens[bearer] = user
        estate.oauth2_grants[user] = estate.plant(f"password of {user}")
        self.passcodes = {0: estate.oauth2_grants[user], 1: bearer, 2: f"{token.value}:{token.secret}"}
        self.within_reach = {
            0: [self.passcodes[0], estate.client_secrets["members"]],
            1: [bearer],
            2: [token.secret, estate.signed.secret],
        }


PATHS = {0: ["/token/members", "/me"], 1: ["/me"], 2: ["/me"]}


def test_enrolled_accounts(proxy, estate):
    user = f"user-{proxy.form}"
    claims = Claims(estate, user)
    for kind, api in enumerate(["members", "facebook", "signed"]):
        passcode = claims.passcodes[kind]
        assert proxy.register(kind, user, passcode).status == 201
        assert proxy.register(kind, user, passcode).status == 200
        assert proxy.register(kind, user, estate.plant("a wrong passcode", ":" + TAIL)).status == 401
        assert proxy.register(kind, "somebody else", passcode).status == 401 or kind == 0
        assert proxy.ask(api, "/x", account=user, plain=True).status == 200
        for dialect, secret in itertools.product(SOME_DIALECTS, claims.within_reach[kind]):
            estate.say("/y", DIALECTS[dialect](secret))
            proxy.ask(api, "/y", account=user, plain=True)
    assert user in proxy.admin("GET", "/accounts").body.decode()
    for api in ("members", "facebook", "signed"):
        assert proxy.admin("DELETE", f"/accounts/{api}/{user}").status in (200, 204)
        assert proxy.admin("DELETE", f"/accounts/{api}/{user}").status == 404


@pytest.mark.parametrize("kind", PATHS)
def test_claims_that_are_refused_and_echoed(proxy, estate, kind):
    claims = Claims(estate, f"nobody-{proxy.form}{kind}")
    styles = itertools.cycle(STYLES)
    echoes = itertools.cycle(itertools.product(PATHS[kind], claims.within_reach[kind]))
    for dialect in DIALECTS if proxy.form == "json" else SOME_DIALECTS:
        path, secret = next(echoes)
        estate.say(path, DIALECTS[dialect](STYLES[next(styles)](secret)))
        answer = proxy.register(kind, claims.user, claims.passcodes[kind], f"registering {kind}: {dialect}")
        # The password grant is proof enough: no other address is asked.
        assert answer.status in (401, 502, 504) or (kind, path) == (0, "/me"), answer
    for write in EMPTY_HANDED.values():
        estate.say(
            PATHS[kind][0], write(claims.within_reach[kind][-1], estate.plant("what comes with nothing", "_-.~"))
        )
        proxy.register(kind, claims.user, claims.passcodes[kind])


def test_the_admin_listener(proxy, estate):
    own = estate.plant("what somebody tells the admin listener", "_-.~")
    closed = [("GET", "/accounts"), ("POST", "/register"), ("DELETE", "/accounts/signed/x")]
    closed += [("GET", "/status"), ("GET", "/accounts/signed/default")]
    for method, path in closed:
        for token in (False, own, own + "x", estate.admin_token + "x"):
            body = f"access_type=1&passkey=1&passcode={own}".encode() if method == "POST" else None
            assert proxy.admin(method, path, body=body, token=token).status == 401
    for path in ("/healthz", "/readyz", "/ca.pem", "/metrics", "/x"):
        proxy.admin("GET", path, token=False)
        proxy.admin("POST", path, body=b"x")
    told = proxy.admin("GET", "/status").json
    assert told["accounts"] and told["apis"]
    for account in told["accounts"]:
        path = f"/accounts/{encode(account['api'])}/{encode(account['account'])}"
        assert proxy.admin("GET", path).json["source"] == account["source"]
    json_type = [("Content-Type", "application/json")]
    for number, (fields, body) in enumerate(
        [
            (json_type, f'{{"access_type":"1","passkey":"1","passcode":"{own}'),
            (json_type, f'{{"access_type":"1","passkey":"1","passcode":["{own}"]}}'),
            (json_type, f'{{"access_type":"1","passkey":"1","passcode":"{own}","passcode":"{own}"}}'),
            (json_type, f'"{own}"'),
            ([("Content-Type", f"text/{own}")], own),
            (FORM, f"access_type=9&passkey=1&passcode={own}"),
            (FORM, f"access_type={own}&passkey=1&passcode={own}"),
            (FORM, f"access_type=1&passcode={own}&passcode={own}"),
            (FORM, f"access_type=2&passkey=1&passcode={own}"),
            (FORM, f"access_type=1&passkey=1&passcode={own}%0d%0ax"),
            (FORM, f"access_type=1&passkey=1&passcode={own}%zz"),
            (FORM, f"{own}"),
        ]
    ):
        answer = proxy.admin("POST", "/register", fields, body.encode(), title=f"the answer to a bad claim, {number}")
        assert answer.status >= 400, (body, answer)


# The process


def test_no_memory_gets_into_a_core_dump(proxy):
    """core(5): a limit of one byte keeps dumps from programs too, and no mapping would be in one."""
    with open(f"/proc/{proxy.pid}/limits") as limits:
        line = next(line for line in limits if line.startswith("Max core file size"))
    assert line.split()[4:6] == ["1", "1"], line
    with open(f"/proc/{proxy.pid}/coredump_filter") as kept:
        assert int(kept.read(), 16) == 0
