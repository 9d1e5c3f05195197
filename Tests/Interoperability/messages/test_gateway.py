"""Gateways: clients that know of no proxy and no CA, and take a port of this machine for the API."""

import json
import shutil
import subprocess
import threading

import pytest
import requests

from harness.applications import secret
from harness.clients import FOLDER, run
from harness.paraph import Paraph
from harness.raw import ask
from harness.waiting import LIMIT, wait_until

FORM = {"status": "Grüße & more", "a": "1 2"}


class Curl:
    name = "curl"

    @staticmethod
    def send(url, form=None, headers=(), more=()):
        words = ["curl", "-sS", "-L", "--max-time", "30", "-w", "\n%{http_code}", *more]
        words += [w for n, v in dict(headers).items() for w in ("-H", f"{n}: {v}")]
        words += [w for n, v in (form or {}).items() for w in ("--data-urlencode", f"{n}={v}")]
        done = subprocess.run([*words, url], capture_output=True, text=True, timeout=LIMIT, env=Paraph.environment())
        assert done.returncode == 0, done
        body, _, status = done.stdout.rpartition("\n")
        return int(status), body


class Requests:
    name = "requests"

    @staticmethod
    def send(url, form=None, headers=()):
        with requests.Session() as session:
            session.trust_env = False
            found = session.request("POST" if form else "GET", url, data=form, headers=dict(headers), timeout=LIMIT)
            return found.status_code, found.text


class Fetch:
    name = "fetch"
    PROGRAM = """
        const { url, form, headers } = JSON.parse(process.argv[1])
        const body = form ? new URLSearchParams(form) : undefined
        const response = await fetch(url, { method: form ? 'POST' : 'GET', headers, body })
        console.log(JSON.stringify([response.status, await response.text()]))"""

    @classmethod
    def send(cls, url, form=None, headers=()):
        job = json.dumps({"url": url, "form": form, "headers": dict(headers)})
        done = run(["node", "--input-type=module", "-e", cls.PROGRAM, job])
        assert done.returncode == 0, done
        return tuple(json.loads(done.stdout))


CLIENTS = [Curl, Requests, Fetch]


@pytest.fixture(params=CLIENTS, ids=lambda c: c.name)
def direct(request):
    """Each client that is told of no proxy, in turn."""
    if request.param is Fetch and not shutil.which("node"):
        pytest.skip("there is no node on this machine")
    return request.param


def configuration(world, gateway="127.0.0.1:0", **more):
    return world.configuration({"main": world.api([world.HOST, "*.wild.test.example"], gateway=gateway)}, **more)


@pytest.fixture(scope="module")
def paraph(launch_for_session, world):
    return launch_for_session(configuration(world))


def verified(answer):
    status, body = answer
    assert status == 200, body
    description = json.loads(body)
    assert description["verified"], description
    return description


def test_requests_are_signed_for_the_first_host(paraph, world, direct):
    description = verified(direct.send(f"{paraph.gateway()}/x?a=caf%C3%A9+%2B&a=b"))
    assert description["target"] == "/x?a=caf%C3%A9+%2B&a=b"
    assert [v for n, v in description["fields"] if n.lower() == "host"] == [world.HOST]
    assert description["user"] == "default"


def test_forms_are_signed(paraph, world, direct):
    description = verified(direct.send(f"{paraph.gateway()}/form", FORM))
    assert description["method"] == "POST"
    record = world.provider.records[description["record"]]
    assert {n for n, _ in record.verdict.pairs if not n.startswith(b"oauth_")} == {b"status", b"a"}


def test_an_account_is_named_in_its_field(paraph, direct):
    description = verified(direct.send(f"{paraph.gateway()}/x", headers={"Paraph-Account": "alice"}))
    assert description["user"] == "alice"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("reference", ["https://{host}{end}", "http://{host}{end}", "//{host}{end}", "{end}"])
def test_a_redirect_is_followed_through_the_gateway(paraph, world, provider, direct, status, reference):
    end = provider.route(lambda call: call.answer())
    location = reference.format(host=world.HOST, end=f"{end}?q=1")
    begin = provider.route(lambda call: call.read_body() or call.respond(status, [("Location", location)]))
    description = verified(direct.send(f"{paraph.gateway()}{begin}"))
    assert description["target"] == f"{end}?q=1"
    assert len(provider.requests_for(begin)) == len(provider.requests_for(end)) == 1


def test_a_redirect_to_another_host_is_left_alone(paraph, provider):
    path = provider.route(lambda call: call.read_body() or call.respond(302, [("Location", "https://other.example/")]))
    found = requests.get(f"{paraph.gateway()}{path}", allow_redirects=False, timeout=LIMIT, proxies={"http": ""})
    assert found.headers["location"] == "https://other.example/"


@pytest.fixture
def cookies(world, provider):
    """Sets cookies of each kind, and says at its second path which of them came."""

    def handler(call):
        call.read_body()
        came = b"; ".join(call.record.values("cookie")).decode()
        domain = world.HOST.partition(".")[2]
        fields = [
            ("Set-Cookie", f"whole=1; Domain={world.HOST}; Path=/"),
            ("Set-Cookie", f"parent=2; path=/; domain=.{domain}; HttpOnly"),
            ("Set-Cookie", "own=3; Path=/"),
            ("Set-Cookie", f"secure=4; Domain={world.HOST}; Path=/; Secure"),
            ("Set-Cookie", "foreign=5; Domain=other.example; Path=/"),
        ]
        call.respond(200, [*fields, ("X-Verified", "yes")], json.dumps(sorted(filter(None, came.split("; ")))))

    return provider.route(handler)


def test_a_jar_of_pythons_sends_cookies_back_but_secure_ones(paraph, cookies):
    with requests.Session() as session:
        session.trust_env = False
        assert session.get(f"{paraph.gateway()}{cookies}", timeout=LIMIT).json() == []
        assert session.get(f"{paraph.gateway()}{cookies}", timeout=LIMIT).json() == ["own=3", "parent=2", "whole=1"]


def test_curl_sends_cookies_back_secure_ones_too(paraph, cookies, tmp_path):
    jar = ("-c", str(tmp_path / "jar"), "-b", str(tmp_path / "jar"))
    url = paraph.gateway().replace("127.0.0.1", "localhost") + cookies
    assert Curl.send(url, more=jar) == (200, "[]")
    status, body = Curl.send(url, more=jar)
    assert (status, json.loads(body)) == (200, ["own=3", "parent=2", "secure=4", "whole=1"])


def test_nothing_is_mapped_where_that_is_off(launch, world, provider):
    paraph = launch(configuration(world, {"listen": "127.0.0.1:0", "map_responses": False}))
    fields = [("Location", f"{world.URL}/x"), ("Set-Cookie", f"a=1; Domain={world.HOST}")]
    path = provider.route(lambda call: call.read_body() or call.respond(302, fields))
    found = requests.get(f"{paraph.gateway()}{path}", allow_redirects=False, timeout=LIMIT, proxies={"http": ""})
    assert [found.headers[n] for n, _ in fields] == [v for _, v in fields]


# Who may use it


@pytest.mark.parametrize("existing", ["replace", "keep", "refuse"])
def test_clients_authenticate_as_to_a_server(launch, world, provider, direct, existing):
    password = secret("client")
    access = {"clients": [{"name": "billing", "password": password, "accounts": ["default", "alice"]}]}
    api = world.api(gateway="127.0.0.1:0", signing={"on_existing_authorization": existing})
    paraph = launch(world.configuration({"main": api}, access=access))
    url = f"{paraph.gateway()}/x"
    for headers in ({}, basic("billing", "wrong"), {"Authorization": "Bearer x"}):
        assert direct.send(url, headers=headers)[0] == 401
    assert verified(direct.send(url, headers=basic("billing", password)))["user"] == "default"
    description = verified(direct.send(url, headers=basic("billing+alice", password)))
    assert description["user"] == "alice"
    assert len([v for n, v in description["fields"] if n.lower() == "authorization"]) == 1
    assert direct.send(url, headers=basic("billing+bob", password))[0] == 403


def basic(name, password):
    request = requests.Request("GET", "http://x/", auth=(name, password)).prepare()
    return {"Authorization": request.headers["Authorization"]}


def test_curls_own_option_does(launch, world):
    password = secret("client")
    paraph = launch(configuration(world, access={"clients": [{"name": "billing", "password": password}]}))
    answer = Curl.send(f"{paraph.gateway()}/x", more=("-u", f"billing+alice:{password}"))
    assert verified(answer)["user"] == "alice"


@pytest.mark.parametrize(
    "headers, status",
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "api.test.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_pages_of_other_sites_are_refused(paraph, world, headers, status):
    before = world.main.requests
    found, body = Curl.send(f"{paraph.gateway()}/x", headers=headers)
    assert found == status and json.loads(body)["status"] == status
    assert world.main.requests == before


def test_a_page_of_its_own_is_served(paraph):
    verified(Curl.send(f"{paraph.gateway()}/x", headers={"Origin": paraph.gateway(), "Sec-Fetch-Site": "same-origin"}))


def test_a_name_that_is_configured_is_taken(launch, world):
    paraph = launch(configuration(world, {"listen": "127.0.0.1:0", "hosts": ["paraph"]}))
    verified(Curl.send(f"{paraph.gateway()}/x", headers={"Host": "paraph:9001"}))


def test_it_is_no_proxy(paraph, world):
    for url in (f"http://{world.HOST}/x", "http://127.0.0.1:1/x"):
        status, body = Curl.send(url, more=("--proxy", paraph.gateway()))
        assert status == 421 and "listen.proxy" in json.loads(body)["detail"]
    done = run(["curl", "-sS", "--proxy", paraph.gateway(), f"{world.URL}/x"])
    assert b"400" in done.stderr


# Its life


def test_gateways_come_and_go_with_a_reload(launch, world):
    plain = world.configuration({"main": world.api()})
    paraph = launch(plain)
    assert "gateway main" not in paraph.announced
    paraph.reload(configuration(world))
    url = paraph.gateway()
    with requests.Session() as session:
        session.trust_env = False
        assert session.get(f"{url}/x", timeout=LIMIT).headers["x-verified"] == "yes"
        paraph.reload(configuration(world, access={"other_hosts": "refuse"}))
        assert paraph.gateway() == url, "it stays where it is"
        assert session.get(f"{url}/x", timeout=LIMIT).headers["x-verified"] == "yes"
        paraph.reload(plain)
        with pytest.raises(requests.ConnectionError):
            session.get(f"{url}/x", timeout=LIMIT)
    ask(paraph, f"{world.URL}/x").verified()


def test_a_reload_whose_gateway_cannot_be_had_changes_nothing(launch, world, closed_port):
    paraph = launch(configuration(world))
    paraph.reload(configuration(world, f"127.0.0.1:{closed_port}"), outcome="refused")
    told = paraph.told("not reloaded")
    assert len(told) == 1 and "the gateway of main" in told[0] and str(closed_port) in told[0], paraph.tail()
    verified(Curl.send(f"{paraph.gateway()}/x"))


def test_a_start_whose_gateway_cannot_be_had_fails(launch, world, closed_port):
    paraph = launch(configuration(world, f"127.0.0.1:{closed_port}"), wait=False)
    assert paraph.wait() == 69
    assert "a gateway's address cannot be listened on" in paraph.log() and str(closed_port) in paraph.log()


def test_a_request_in_flight_is_finished_before_the_end(launch, world, provider):
    asked, go = threading.Event(), threading.Event()

    def handler(call):
        call.verify()
        asked.set()
        assert go.wait(LIMIT)
        call.answer()

    paraph = launch(configuration(world))
    found = []
    path = provider.route(handler)
    thread = threading.Thread(target=lambda: found.append(Curl.send(f"{paraph.gateway()}{path}")))
    thread.start()
    assert asked.wait(LIMIT)
    paraph.signal(15)
    wait_until(lambda: not paraph.accepts("gateway main"), "the gateway to be closed")
    go.set()
    thread.join(LIMIT)
    verified(found[0])
    assert paraph.stop() == 0


@pytest.fixture
def http2_server(certificates, tmp_path):
    """An upstream of Node's that speaks HTTP/2 alone; the port it listens on."""
    if not shutil.which("node"):
        pytest.skip("there is no node on this machine")
    chain = certificates.good.file
    server = subprocess.Popen(["node", str(FOLDER / "http2_server.mjs"), str(chain)], stdout=subprocess.PIPE, text=True)
    try:
        yield int(server.stdout.readline())
    finally:
        server.kill()
        server.wait()


def test_an_upstream_that_speaks_http2_is_served_alike(launch, world, http2_server, direct):
    api = world.api(gateway="127.0.0.1:0")
    api["connect_to"] = f"127.0.0.1:{http2_server}"
    paraph = launch(world.configuration({"main": api}))
    status, body = direct.send(f"{paraph.gateway()}/redirect")
    found = json.loads(body)
    assert status == 200 and found["version"] == "2.0" and found["path"] == "/end"
    assert found["authority"] == world.HOST and found["authorization"].startswith("OAuth ")
