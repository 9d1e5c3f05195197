"""The inspector's page over time: what is in flight, what is refused, what changes while it is looked at."""

import base64
import json
import re
import subprocess
from pathlib import Path

import pytest

from harness import browser as browsers
from harness import java
from harness.certificates import public_key_pin
from harness.inspector import live, opened, requests_of, wait_for_rows
from harness.raw import ask, request
from harness.waiting import LIMIT, wait_until

pytestmark = pytest.mark.skipif(not browsers.program(), reason="there is no chromium on this machine")

PINS = [f"sha256/{'A' * 43}=", f"sha256/{'A' * 42}8="]


def test_a_refused_chain_is_shown_with_the_pins(world, launch, open_page):
    pinning = {"mode": "public_key", "pins": PINS, "expires": "2099-12-31"}
    paraph = launch(world.configuration({"main": world.api(tls={"pinning": pinning})}))
    page = open_page(paraph)
    live(page)
    assert ask(paraph, f"{world.URL}/pinned").status == 502
    assert len(wait_for_rows(page, 1)) == 1
    detail = opened(page)
    assert "Certificates that were refused" in detail and "no certificate on it has one of the pins" in detail
    for chained in world.certificates.good.certificates[:1]:
        assert public_key_pin(chained) in detail
    for pin in PINS:
        assert pin in detail
    assert "✓ pinned" not in detail
    assert len(requests_of(paraph)) == 1
    page.value("location.hash = 'apis'")
    page.wait("document.querySelector('#apis time')")
    assert page.value("document.querySelector('#apis time').dateTime") == "2099-12-31T23:59:59Z"


def test_a_chain_that_is_pinned(world, launch, open_page):
    pins = [public_key_pin(world.certificates.good.certificates[0]), PINS[0]]
    paraph = launch(world.configuration({"main": world.api(tls={"pinning": {"mode": "public_key", "pins": pins}})}))
    page = open_page(paraph)
    live(page)
    ask(paraph, f"{world.URL}/pinned").verified()
    wait_for_rows(page, 1)
    detail = opened(page)
    assert "✓ pinned" in detail and all(pin in detail for pin in pins)
    assert "HTTP/1.1 200" in page.text("pre[aria-label='Response head']")


def test_an_exchange_that_fails_is_one_line(launch, world, provider, open_page):
    application = provider.new_application()
    account = world.reverse_auth_account(application)
    account["reverse_auth"]["request_token_url"] = f"{world.URL}/oauth/nothing-of-the-kind"
    paraph = launch(world.configuration({"main": world.api(application=application, accounts={"default": account})}))
    page = open_page(paraph)
    live(page)
    assert ask(paraph, f"{world.URL}/x").status >= 500
    assert len(wait_for_rows(page, 1)) == 1
    (told,) = requests_of(paraph)
    cause = told["cause"]
    assert cause.startswith("exchange_") and told["error"] == "http_request_denied"
    wait_until(lambda: f'"cause":"{cause}"' in paraph.log(), "the line of the request")
    assert cause in opened(page)
    paraph.name_ports()
    code, said = paraph.command("top", "--once", "--filter", cause)
    assert code == 0 and f"http_request_denied {cause}" in said


def test_plaintext_has_no_base_string(launch, world, provider, open_page):
    application = provider.new_application()
    entry = world.api(application=application, oauth1={"signature_method": "PLAINTEXT"})
    paraph = launch(world.configuration({"main": entry}))
    page = open_page(paraph)
    live(page)
    ask(paraph, f"{world.URL}/x?a=b").verified()
    wait_for_rows(page, 1)
    detail = opened(page)
    assert "PLAINTEXT" in detail and "There is no base string" in detail
    assert page.value("document.querySelectorAll('.base, #other').length") == 0
    signature = json.loads(paraph.admin("/requests/1")[1])["signature"]
    assert signature["base_string_uri"] is None
    assert {parameter["origin"] for parameter in signature["parameters"]} == {"protocol"}
    assert "base_string" not in paraph.log()


def test_the_scheme_is_that_of_the_request(launch, world, open_page):
    """Though the port is another one."""
    paraph = launch(world.configuration(access={"allowed_networks": ["127.0.0.0/8"]}))
    page = open_page(paraph)
    live(page)
    ask(paraph, f"https://{world.main.address}/tls").verified()
    ask(paraph, "http://127.0.0.1:9/clear")
    wait_for_rows(page, 2)
    assert [request["scheme"] for request in requests_of(paraph)] == ["https", "http"]
    opened(page)
    for url in ("http://127.0.0.1:9/clear", f"https://{world.main.address}/tls"):
        page.wait(f"document.querySelector('#detail .url').textContent === {url!r}")
        page.press("k")


def test_what_is_in_flight(launch, world, hold, open_page):
    held = hold()
    path = held.path
    paraph = launch(world.configuration())
    page = open_page(paraph)
    live(page)
    with paraph.raw(f"{world.HOST}:443") as client:
        client.send(request("GET", f"{path}/slow", world.HOST))
        page.wait("document.querySelectorAll('#in-flight tr').length === 1")
        assert f"{path}/slow" in page.text("#in-flight")
        assert page.text("#count") == "0 requests, 1 in flight"
        # Whoever comes later sees it as well.
        other = open_page(paraph)
        other.wait("document.querySelectorAll('#in-flight tr').length === 1")
        told = json.loads(paraph.admin("/requests")[1])
        assert [one["path"] for one in told["in_flight"]] == [f"{path}/slow"]
        held.go.set()
        client.receive()
    wait_for_rows(page, 1)
    assert page.value("document.querySelectorAll('#in-flight tr').length") == 0
    assert page.text("#count") == "1 request"
    assert json.loads(paraph.admin("/requests")[1])["in_flight"] == []


def fill(paraph, world, count):
    with paraph.raw(f"{world.HOST}:443") as client:
        for number in range(count):
            client.exchange(request("GET", f"/n/{number}", world.HOST), "GET")


@pytest.mark.parametrize("way", ["Page Up", "the scroll bar"])
def test_scrolling_back_ends_following(launch, world, open_page, way):
    paraph = launch(world.configuration())
    page = open_page(paraph)
    live(page)
    fill(paraph, world, 60)
    wait_for_rows(page, 60)
    following = "document.getElementById('follow').getAttribute('aria-pressed') === 'true'"
    at_end = "(l => l.scrollTop + l.clientHeight >= l.scrollHeight - 4)(document.getElementById('list'))"
    page.wait(f"{following} && {at_end}")
    page.value("addEventListener('scrollend', () => { window.hasScrolled = true; }, true); window.hasScrolled = false")
    if way == "Page Up":
        page.value("document.getElementById('list').focus()")
        page.call("Input.dispatchKeyEvent", type="rawKeyDown", key="PageUp", code="PageUp", windowsVirtualKeyCode=33)
        page.call("Input.dispatchKeyEvent", type="keyUp", key="PageUp", code="PageUp", windowsVirtualKeyCode=33)
    else:
        page.value("document.getElementById('list').scrollTop -= 200")
    page.wait(f"window.hasScrolled && !({following})")
    fill(paraph, world, 1)
    wait_for_rows(page, 61)
    assert not page.value(at_end)
    # Page Up scrolls smoothly: as long as that goes on, it takes the list back from where it is put.
    page.wait(f"(document.getElementById('list').scrollTop = 1e6) && {following}")
    fill(paraph, world, 1)
    wait_for_rows(page, 62)
    page.wait(at_end)


# The stream of events, which the page has, can be cut off.
CUTTABLE = """const ask = window.fetch;
window.fetch = (path, options) => {
  if (path !== '/events') return ask(path, options);
  window.cut = new AbortController();
  return ask(path, { ...options, signal: window.cut.signal });
};"""


def test_what_is_cleared_stays_away(launch, world, open_page):
    """Though the stream breaks, after which the page asks for the list."""
    paraph = launch(world.configuration(inspector={"keep": True}))
    page = open_page(paraph)
    page.call("Page.addScriptToEvaluateOnNewDocument", source=CUTTABLE)
    page.open(f"{page.origin}/")
    live(page)
    fill(paraph, world, 3)
    wait_for_rows(page, 3)
    page.value("document.getElementById('clear').click()")
    wait_for_rows(page, 0)
    page.value("window.cut.abort()")
    page.wait("document.getElementById('link').dataset.state === 'lost'")
    fill(paraph, world, 1)
    live(page)
    assert "/n/0" in wait_for_rows(page, 1)[0]


def test_views_are_kept_current(launch, world, provider, open_page):
    application = provider.new_application()
    account = world.reverse_auth_account(application)
    paraph = launch(world.configuration({"main": world.api(application=application, accounts={"default": account})}))
    page = open_page(paraph)
    live(page)
    page.value("location.hash = 'accounts'")
    page.wait("document.querySelector('#accounts .tag')")
    assert page.text("#accounts .tag") == "○ none yet"
    assert page.value("document.querySelector('#accounts .tag').className") == "tag waiting"
    page.value("document.querySelector('#accounts .scroll').focus()")
    ask(paraph, f"{world.URL}/x").verified()
    page.wait("document.querySelector('#accounts .tag').innerText === '✓ ready'")
    assert page.value("document.activeElement.matches('#accounts .scroll')")
    page.value("location.hash = 'apis'")
    page.wait("/[1-9] idle/.test(document.querySelector('#apis').innerText)")


@pytest.mark.skipif(not java.available(), reason="there is no JDK on this machine")
def test_the_line_for_java(launch, world, open_page, tmp_path):
    """As it stands: the virtual machine trusts the CA, and what it trusted before."""
    paraph = launch(world.configuration())
    page = open_page(paraph)
    live(page)
    page.value("location.hash = 'ca'")
    page.wait("document.querySelector('#ca table')")
    lines = dict(page.value("[...document.querySelectorAll('#ca tbody tr')].map(r => [...r.cells].map(c => c.textContent))"))
    java_lines = lines["Java"].replace("paraph ca export", f"{paraph.binary} ca export --config {paraph.file}", 1)
    script = f"{java_lines}\nkeytool -list -keystore truststore -storepass changeit | grep -c trustedCertEntry\n" \
             'printenv JAVA_TOOL_OPTIONS\n' + " ".join([*java.command("Client"), *paraph.addresses["proxy"].split(":")])
    words = [base64_of(word) for word in ("GET", f"{world.URL}/java", "", "", "")]
    done = subprocess.run(["bash", "-euc", script], cwd=tmp_path, input="\t".join(words) + "\n", capture_output=True,
                          text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stderr
    count, options, answer = done.stdout.splitlines()[-3:]
    assert int(count) > 1 and "trustStore=" in options
    assert not answer.startswith("error"), answer
    assert wait_until(lambda: requests_of(paraph), "the request")[-1]["path"] == "/java"


def base64_of(text):
    return base64.b64encode(text.encode()).decode()


def documented(section):
    """The members that docs/inspector.md has in its tables below a heading or a word that ends with a colon."""
    text = (Path(__file__).resolve().parents[3] / "docs/inspector.md").read_text()
    table = text.partition(f"\n{section}\n")[2].partition("|---|---|\n")[2].partition("\n\n")[0]
    assert table, section
    return [name for line in table.splitlines() for name in re.findall(r"`(\w+)`", line.split("|")[1])]


def test_what_is_documented_is_what_there_is(launch, world, hold):
    """Each member, in its order."""
    held = hold()
    pinning = {"mode": "public_key", "pins": PINS, "on_failure": "report"}
    paraph = launch(world.configuration({"main": world.api(tls={"pinning": pinning})}, inspector={"keep": True}))
    with paraph.raw(f"{world.HOST}:443") as client:
        client.exchange(request("GET", "/x?a=b", world.HOST), "GET").verified()
        client.send(request("GET", held.path, world.HOST))
        assert held.reached.wait(LIMIT)
        told = json.loads(paraph.admin("/requests")[1])
        held.go.set()
        client.receive()
    assert list(told) == documented("### The list")
    members = documented("### A request")
    [begun], [one] = told["in_flight"], told["requests"]
    assert list(one) == members
    assert list(begun) == ["begun", *members[1 : members.index("query") + 1]]
    assert list(one["times"]) == documented("`times` has microseconds:")
    whole = json.loads(paraph.admin("/requests/1")[1])
    assert list(whole) == members + documented("### All of a request")
    assert list(whole["signature"]) == documented("`signature`:")
    assert list(whole["upstream"]) == documented("`upstream`:")
    text = (Path(__file__).resolve().parents[3] / "docs/inspector.md").read_text()
    for inner in (whole["upstream"]["chain"][0], whole["upstream"]["pins"], whole["signature"]["parameters"][0]):
        assert all(f"`{name}`" in text for name in inner)


def test_the_events_are_those_that_are_documented(launch, world):
    paraph = launch(world.configuration())
    words = ["curl", "-sN", "--noproxy", "*", f"http://{paraph.addresses['admin']}/events"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as curl:
        try:
            assert curl.stdout.readline() == ":\n"
            ask(paraph, f"{world.URL}/x").verified()
            lines = [line.rstrip("\n") for line in (curl.stdout.readline() for _ in range(7)) if line != "\n"]
        finally:
            curl.terminate()
    assert lines[0] == "event: begun" and lines[2:4] == ["id: 1", "event: request"]
    begun, ended = (json.loads(line.removeprefix("data: ")) for line in (lines[1], lines[4]))
    assert begun["begun"] == ended["begun"] == 1
    assert begun.items() <= ended.items()
