"""The inspector in a real browser, and `paraph top` on a real terminal: real requests through the real proxy."""

import json
import os
import re
import subprocess
import threading
from pathlib import Path

import pytest

from harness import browser as browsers
from harness.inspector import live, opened, rows, wait_for_rows
from harness.raw import ask, request
from harness.session import Terminal
from harness.waiting import LIMIT, wait_until

FORM = [("Content-Type", "application/x-www-form-urlencoded")]
PAGE = Path(__file__).resolve().parents[3] / "Sources/AdminServer/Inspector/Page"
needs_browser = pytest.mark.skipif(not browsers.program(), reason="there is no chromium on this machine")


def send_some(paraph, world):
    """A signed request with a query, one with a form, one that is refused."""
    token = "hidden-token-of-the-query"
    ask(paraph, f"{world.URL}/a%20b?q=x%3Dy&access_token={token}", fields=[("Authorization", "Basic aGlkZGVuOmhpZGRlbg==")])
    with paraph.raw(f"{world.HOST}:443") as client:
        body = b"status=Hello+world&password=hidden-password"
        client.exchange(request("POST", "/form", world.HOST, [*FORM, ("Cookie", "sid=hidden-cookie")], body), "POST")


@needs_browser
def test_requests_appear_and_open(world, launch, open_page):
    paraph = launch(world.configuration())
    page = open_page(paraph)
    live(page)
    assert "No requests yet" in page.text("#empty")
    send_some(paraph, world)
    shown = wait_for_rows(page, 2)
    assert any("/a%20b?q=x%3Dy&access_token=…" in row for row in shown)
    page.press("k")
    page.press("Enter")
    page.wait("!document.getElementById('detail').hidden")
    detail = page.text("#detail")
    assert "POST" in detail and "/form" in detail and "Base string" in detail
    base = page.value("document.querySelector('.base').textContent")
    assert base.startswith("POST&https%3A%2F%2F") and "status%3DHello%2520world" in base
    for origin in ("form", "protocol"):
        assert page.value(f"document.querySelectorAll('.base .parameter.{origin}').length") > 0
    assert "certificates" in detail.lower()
    page.press("k")
    page.wait("document.querySelector('#detail h2').innerText.includes('/a%20b')")
    assert page.value("document.querySelectorAll('.base .parameter.query').length") == 2
    page.press("Escape")
    page.wait("document.getElementById('detail').hidden")
    for secret in ("hidden-token", "hidden-password", "hidden-cookie", "aGlkZGVu"):
        assert secret not in page.value("document.documentElement.outerHTML")


def paraph_requests(paraph):
    status, body = paraph.admin("/requests")
    assert status == 200
    return json.loads(body)["requests"]


@needs_browser
def test_the_base_string_is_what_explain_prints(world, launch, open_page):
    paraph = launch(world.configuration())
    page = open_page(paraph)
    live(page)
    answer = ask(paraph, f"{world.URL}/x?b=%C3%A4&a=1%2B1&a=")
    answer.verified()
    wait_for_rows(page, 1)
    page.press("k")
    page.press("Enter")
    page.wait("document.querySelector('.base')")
    command = page.value("""import('/inspector/copying.mjs').then(async ({ explain }) => {
        const id = document.querySelector('#rows tr[aria-current]').dataset.id;
        return explain(await (await fetch(`/requests/${id}`)).json());
    })""")
    assert command.startswith("paraph explain GET ")
    done = subprocess.run(
        ["bash", "-c", command.replace("paraph explain", f"{paraph.binary} explain --json", 1).replace("TOKEN ", "'…' ", 1)],
        env={**os.environ, "CONSUMER_SECRET": "a", "TOKEN_SECRET": "b"}, capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stderr
    explained = json.loads(done.stdout)["base_string"].replace("%25E2%2580%25A6", "…")
    assert page.value("document.querySelector('.base').textContent") == explained


OTHERS = [
    (lambda base: base, []),
    (lambda base: base.replace(".example%2F", ".example%3A443%2F"), ["default port"]),
    (lambda base: base.replace("https", "http", 1), ["the schemes differ"]),
    (lambda base: "get" + base[3:], ["upper case"]),
    (lambda base: base.replace("a%3Dx%2520y", "a%3Dx%2By"), ["plus sign"]),
    (lambda base: base.replace("a%3Dx%2520y", "a%3Dx%252520y"), ["once more"]),
    (lambda base: base.replace("%26oauth_version%3D1.0", ""), ["oauth_version"]),
    (lambda base: base + "%26z%3D1", ["z"]),
]


@needs_browser
def test_where_two_signers_part(world, launch, open_page):
    paraph = launch(world.configuration())
    page = open_page(paraph)
    live(page)
    ask(paraph, f"{world.URL}/x?a=x%20y").verified()
    wait_for_rows(page, 1)
    page.press("k")
    page.press("Enter")
    page.wait("document.querySelector('.base')")
    base = page.value("document.querySelector('.base').textContent")
    for change, expected in OTHERS:
        given = change(base)
        assert (given == base) == (not expected)
        page.value(f"document.getElementById('other').value = {json.dumps(given)};"
                   "[...document.querySelectorAll('#detail button')].find(b => b.textContent === 'Compare').click()")
        rows = page.value("[...document.querySelectorAll('#detail [role=status] tbody tr')].map(r => r.innerText)")
        assert len(rows) == len(expected), (given, rows)
        for row, word in zip(rows, expected):
            assert word in row
        assert "--against" in page.text("#detail [role=status] pre")
    field = page.value("document.querySelector('#detail pre[aria-label=Authorization]').textContent")
    page.value(f"document.getElementById('other').value = {json.dumps(field.replace('HMAC-SHA1', 'HMAC-SHA256'))};"
               "[...document.querySelectorAll('#detail button')].find(b => b.textContent === 'Compare').click()")
    rows = page.value("[...document.querySelectorAll('#detail [role=status] tbody tr')].map(r => r.innerText)")
    assert len(rows) == 1 and rows[0].startswith("oauth_signature_method")


@needs_browser
def test_filter_pause_and_follow(world, launch, open_page):
    paraph = launch(world.configuration())
    page = open_page(paraph)
    live(page)
    for number in range(3):
        ask(paraph, f"{world.URL}/first/{number}")
    wait_for_rows(page, 3)
    page.press("/")
    page.wait("document.activeElement.id === 'filter-text'")
    page.type("first/1")
    assert "/first/1" in wait_for_rows(page, 1)[0]
    page.press("Escape")
    page.press("p")
    ask(paraph, f"{world.URL}/first/1?again")
    page.wait("/Go on \\(\\d+\\)/.test(document.getElementById('pause').textContent)")
    assert len(rows(page)) == 1
    page.press("p")
    wait_for_rows(page, 2)
    page.value("document.getElementById('filter-status').value = '5';"
               "document.getElementById('filter-status').dispatchEvent(new Event('input'))")
    page.wait("!document.getElementById('no-match').hidden")


@needs_browser
def test_rows_are_bounded(world, launch, open_page):
    paraph = launch(world.configuration(inspector={"keep": True}))
    with paraph.raw(f"{world.HOST}:443") as client:
        for number in range(1010):
            client.exchange(request("GET", f"/n/{number}", world.HOST), "GET")
    page = open_page(paraph)
    live(page)
    page.wait("document.querySelectorAll('#rows tr').length === 1000")
    ask(paraph, f"{world.URL}/last")
    page.wait("document.querySelector('#rows').innerText.includes('/last')")
    assert page.value("document.querySelectorAll('#rows tr').length") == 1000


@needs_browser
def test_the_token_is_asked_for_and_kept_in_the_tab(world, launch, open_page):
    listen = {"proxy": "127.0.0.1:0", "admin": {"address": "127.0.0.1:0", "token": "the-token-of-the-admin"}}
    paraph = launch(world.configuration(listen=listen))
    page = open_page(paraph)
    page.wait("document.getElementById('token-dialog').open")
    for text, problem in (("wrong", "That is not the token."), ("the-token-of-the-admin", None)):
        page.value("document.getElementById('token').focus()")
        page.type(text)
        page.press("Enter")
        if problem:
            page.wait(f"document.getElementById('token-problem').textContent === {problem!r}")
    live(page)
    page.open(f"{page.origin}/")
    live(page)
    # The answers to the attempts without it are errors to the browser.
    page.complaints = [c for c in page.complaints if "401" not in c]


@needs_browser
def test_text_of_others_is_no_markup(world, launch, open_page):
    paraph = launch(world.configuration())
    page = open_page(paraph)
    live(page)
    with paraph.raw(f"{world.HOST}:443") as client:
        nasty = "/<img/src=x/onerror=alert(1)>?a=<script>alert(1)</script>"
        client.exchange(request("GET", nasty, world.HOST, [("X-Nasty", "<b>bold</b>")]), "GET")
    wait_for_rows(page, 1)
    page.press("k")
    page.press("Enter")
    page.wait("!document.getElementById('detail').hidden")
    assert page.value("document.querySelectorAll('main img, main script, #detail b b').length") == 0
    assert "<b>bold</b>" in page.text("#detail")


@needs_browser
@pytest.mark.parametrize("view", ["accounts", "apis", "ca", "health"])
def test_views(world, launch, open_page, view):
    paraph = launch(world.configuration())
    page = open_page(paraph)
    live(page)
    page.value(f"location.hash = '{view}'")
    page.wait(f"document.querySelector('#{view} h2')")
    if view == "ca":
        done = subprocess.run(["openssl", "x509", "-in", paraph.ca, "-noout", "-fingerprint", "-sha256"],
                              capture_output=True, text=True, check=True, timeout=LIMIT)
        assert done.stdout.strip().partition("=")[2] in page.text("#ca")
    if view == "health":
        assert "ready" in page.text("#health")


@needs_browser
def test_views_of_what_requests_came_to(world, launch, open_page):
    """Rate limits, the age of a token, and what is wrong."""
    fields = [("X-RateLimit-Remaining", "7"), ("X-RateLimit-Reset", "<b>7"), ("X-RateLimit-Token", "hidden")]
    limited = world.provider.route(lambda call: call.respond(401, fields, "oauth_problem=token_rejected"))
    paraph = launch(world.configuration())
    assert ask(paraph, f"{world.URL}{limited}").status == 401
    page = open_page(paraph)
    live(page)
    for view, words in [("apis", "X-RateLimit-Remaining: 7"), ("accounts", "configured"), ("health", "Token refused")]:
        page.value(f"location.hash = '{view}'")
        page.wait(f"document.querySelector('#{view} h2')")
        told = page.text(f"#{view}")
        if view == "apis":
            assert "the provider has not told its own" in told
        assert words in told and "hidden" not in told and "<b>" not in told


@needs_browser
@pytest.mark.parametrize("view", ["requests", "accounts", "apis", "ca", "health"])
def test_readable_on_a_phone(world, launch, open_page, view):
    paraph = launch(world.configuration())
    page = open_page(paraph, width=360, height=740)
    live(page)
    send_some(paraph, world)
    page.value(f"location.hash = '{view}'")
    page.wait(f"!document.getElementById('{view}').hidden")
    def fits():
        for width in (390, 360, 320):
            page.size(width, 740)
            for element in ("document.documentElement", "document.getElementById('list')"):
                assert page.value(f"{element}.scrollWidth") <= width, (element, width)

    if view == "requests":
        wait_for_rows(page, 2)
        fits()
        page.press("k")
        page.press("Enter")
        page.wait("!document.getElementById('detail').hidden")
    else:
        page.wait(f"document.querySelector('#{view} h2')")
    fits()


# Who sees requests, and when there are any


def test_requests_are_kept_where_the_configuration_says_so(world, launch):
    paraph = launch(world.configuration())

    def told():
        return json.loads(paraph.admin("/requests")[1])

    ask(paraph, f"{world.URL}/before")
    assert (told()["recording"], told()["requests"]) == (False, [])
    paraph.reload(world.configuration(inspector={"keep": True}))
    ask(paraph, f"{world.URL}/kept")
    assert told()["recording"] is True
    wait_until(lambda: [one["path"] for one in told()["requests"]] == ["/kept"], "the request")
    paraph.reload(world.configuration(inspector={"keep": False}))
    assert (told()["recording"], told()["requests"]) == (False, [])


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can ask as another user")
def test_other_users_of_the_machine_see_and_change_nothing(world, launch):
    paraph = launch(world.configuration(inspector={"keep": True}))
    words = ["curl", "-s", "--noproxy", "*", "-m", str(LIMIT), "-w", "%{http_code}"]

    def asked(path, method="GET", **options):
        command = [*words, "-X", method, f"http://{paraph.addresses['admin']}{path}"]
        return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, cwd="/", **options).stdout

    nobody = {"user": 65534, "group": 65534, "extra_groups": []}
    for path in ("/requests", "/requests/1", "/events", "/status"):
        said = asked(path, **nobody)
        assert said.endswith("403") and "only the user that the proxy runs as" in said
    for method, path in (("POST", "/reload"), ("POST", "/quit"), ("POST", "/doctor"), ("DELETE", "/accounts/main/default")):
        said = asked(path, method, **nobody)
        assert said.endswith("403") and "only the user that the proxy runs as" in said
    for path in ("/", "/healthz", "/readyz", "/metrics", "/ca.pem", "/accounts"):
        assert asked(path, **nobody).endswith("200")
    assert asked("/requests").endswith("200") and asked("/reload", "POST").endswith("204")
    assert asked("/requests?after=abc").endswith("400")
    paraph.may_end = True
    assert asked("/quit", "POST").endswith("202")
    assert paraph.wait() == 0


# Colours

PAIRS = [(text, page) for text in ("text", "muted", "accent", "good", "warn", "bad", "query", "form", "protocol")
         for page in ("page", "panel", "raised")] + [("on-accent", "accent"), ("text", "chosen"), ("muted", "chosen"),
                                                      ("good", "chosen"), ("warn", "chosen"), ("bad", "chosen")]
GRAPHICS = [(part, "raised") for part in ("edge", "token", "pool", "name", "tcp", "tls", "wait", "rest")]


def luminance(colour):
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(scheme):
    """WCAG 2.2's level AA: 4.5 for text, 3 for what else says something."""
    blocks = re.findall(r":root \{(.*?)\}", (PAGE / "inspector.css").read_text(), re.S)
    assert len(blocks) == 2
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", blocks[scheme == "dark"]))
    for pairs, least in ((PAIRS, 4.5), (GRAPHICS, 3)):
        for one, other in pairs:
            low, high = sorted((luminance(colours[one]), luminance(colours[other])))
            ratio = (high + 0.05) / (low + 0.05)
            assert ratio >= least, f"{one} on {other}: {ratio:.2f}"


# paraph top


def test_top_prints_lines(world, launch):
    paraph = launch(world.configuration(inspector={"keep": True}))
    paraph.name_ports()
    ask(paraph, f"{world.URL}/one?access_token=hidden-token")
    wait_until(lambda: paraph_requests(paraph), "the request")
    code, said = paraph.command("top", "--once")
    assert code == 0 and re.search(r" 200 .* GET .* main/default .*/one\?access_token=…", said), said
    assert "hidden" not in said
    code, said = paraph.command("top", "--once", "--filter", "-one")
    assert code == 0 and "none of the requests that are kept (1)" in said, said
    ask(paraph, f"{world.URL}/{'long' * 50}")
    wait_until(lambda: len(paraph_requests(paraph)) == 2, "the request")
    assert f"/{'long' * 50}\n" in paraph.command("top", "--once")[1], "nothing is cut where there is no terminal"
    words = [paraph.binary, "top", "--filter", "two", "--config", str(paraph.file)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=paraph.environment()) as top:
        try:
            # It looks on once it has its connection: until then requests are not told.
            lines = []
            thread = threading.Thread(target=lambda: lines.append(top.stdout.readline()))
            thread.start()
            while thread.is_alive():
                ask(paraph, f"{world.URL}/two")
                thread.join(0.05)
            assert "/two" in lines[0]
        finally:
            top.terminate()


def test_top_says_why_not(world, launch):
    listen = {"proxy": "127.0.0.1:0", "admin": {"address": "127.0.0.1:0", "token": "the-token-of-the-admin"}}
    paraph = launch(world.configuration(listen=listen))
    address = paraph.addresses["admin"]
    paraph.reconfigure({**paraph.configuration, "listen": {"proxy": paraph.addresses["proxy"],
                                                           "admin": {"address": address, "token": "the-token-of-the-admin"}}})
    code, said = paraph.command("top", "--once")
    assert code == 0 and "inspector: {keep: on}" in said, "by the token that the configuration has"
    code, said = paraph.command("top", "--once", "--token-env", "ADMIN", environment={"ADMIN": "another-token-than-that"})
    assert code == 69 and "401" in said and "--token-env" in said
    code, said = paraph.command("top", "--once", "--token-env", "ADMIN", environment={"ADMIN": "the-token-of-the-admin"})
    assert code == 0 and "401" not in said, said
    code, said = paraph.command("top", "--once", "--token-env", "UNSET_TOKEN")
    assert code == 65 and "UNSET_TOKEN" in said
    paraph.stop()
    code, said = paraph.command("top")
    assert code == 69 and address in said


def test_top_shows_what_is_in_flight(world, launch, hold):
    held = hold()
    paraph = launch(world.configuration(inspector={"keep": True}))
    paraph.name_ports()
    words = ["env", "TERM=xterm", paraph.binary, "top", "--config", str(paraph.file)]
    terminal = Terminal(words, paraph.environment(), paraph.folder)
    terminal.wait_for(r"\x1b\[\?1049h")
    # A line ends with the terminal.
    with paraph.raw(f"{world.HOST}:443") as client:
        client.send(request("GET", f"{held.path}/slow", world.HOST))
        terminal.wait_for(r"in flight 1")
        terminal.wait_for(rf"\.\.\. .*{held.path}/s")
        said = paraph.command("top", "--once")[1]
        assert re.search(rf" \.\.\. .* GET .*{held.path}/slow\n", said), said
        held.go.set()
        client.receive()
    terminal.wait_for(rf"200 .*{held.path}/s")
    terminal.type("q")
    assert terminal.end() == 0


@pytest.mark.parametrize("end", ["q", "\x03"])
def test_top_on_a_terminal(world, launch, end):
    paraph = launch(world.configuration(inspector={"keep": True}))
    paraph.name_ports()
    ask(paraph, f"{world.URL}/one")
    words = ["env", "TERM=xterm", paraph.binary, "top", "--config", str(paraph.file)]
    terminal = Terminal(words, paraph.environment(), paraph.folder)
    terminal.wait_for(r"\x1b\[\?1049h")
    terminal.wait_for("/one")
    ask(paraph, f"{world.URL}/two")
    terminal.wait_for("/two")
    terminal.type("/one\r")
    terminal.wait_for("filter: one ")
    terminal.type(end)
    terminal.wait_for(r"\x1b\[\?1049l")
    assert terminal.end() == 0
