"""The inspector's page in its details: what cannot be seen, what was cut, what cannot be compared, keys, and phones."""

import concurrent.futures
import json
import subprocess

import pytest

from harness import browser as browsers
from harness.inspector import live, opened, wait_for_rows
from harness.raw import ask, request
from harness.waiting import LIMIT

pytestmark = pytest.mark.skipif(not browsers.program(), reason="there is no chromium on this machine")

ADMIN = {"address": "127.0.0.1:0", "token": "the-token-of-the-admin"}


def compared(page, other):
    """What the page says of another signer's base string: the rows of the table, and all of the text."""
    page.value(f"document.getElementById('other').value = {json.dumps(other)};"
               "[...document.querySelectorAll('#detail button')].find(b => b.textContent === 'Compare').click()")
    rows = page.value("[...document.querySelectorAll('#detail [role=status] tbody tr')].map(r => r.innerText.split('\\t'))")
    return rows, page.text("#detail [role=status]")


def base_string(page):
    return page.value("document.querySelector('.base').textContent")


def test_the_token_can_be_given_after_all(world, launch, open_page):
    """The browser closes a dialog at the second Esc, whatever the page says of it."""
    paraph = launch(world.configuration(listen={"proxy": "127.0.0.1:0", "admin": ADMIN}))
    page = open_page(paraph)
    for _ in range(2):
        page.wait("document.getElementById('token-dialog').open")
        page.press("Escape")
        page.press("Escape")
        page.wait("!document.getElementById('token-dialog').open && !document.getElementById('token-notice').hidden")
        page.value("document.getElementById('token-again').click()")
        page.wait("document.getElementById('token-notice').hidden")
    page.type(ADMIN["token"])
    page.press("Enter")
    live(page)
    assert page.value("document.getElementById('token-notice').hidden && !document.getElementById('token-dialog').open")
    page.complaints[:] = [text for text in page.complaints if "401" not in text]


def test_what_cannot_be_seen_is_written_out(world, launch, open_page):
    paraph = launch(world.configuration())
    page = open_page(paraph)
    live(page)
    with paraph.raw(f"{world.HOST}:443") as client:
        fields = [("X-Turned", "\u202eevil".encode())]
        client.exchange(request("GET", "/x?b=%E2%80%AEevil%1B%5B31m%0A", world.HOST, fields), "GET")
    wait_for_rows(page, 1)
    opened(page)
    assert r"\u{202E}evil\u{1B}[31m\u{A}" in page.value("document.querySelector('#detail .values').textContent")
    rows, _ = compared(page, 'OAuth oauth_version="%E2%80%AElive"')
    assert ["oauth_version", "1.0", r"\u{202E}live"] in [row[:3] for row in rows]
    shown = page.value("document.documentElement.outerHTML")
    assert r"b = \u{202E}evil\u{1B}[31m" in shown
    assert not any(character in shown for character in "\u202e\x1b")


def test_what_can_be_compared(world, launch, open_page):
    paraph = launch(world.configuration())
    page = open_page(paraph)
    live(page)
    ask(paraph, f"{world.URL}/x?a=1&a=2").verified()
    wait_for_rows(page, 1)
    opened(page)
    base = base_string(page)
    rows, said = compared(page, base)
    assert rows == [] and "oauth_token was not compared" not in page.text("#detail .base")
    assert "as far as they are shown" in said and "oauth_token was not compared" in said
    nonce = page.value("[...document.querySelectorAll('#detail .values tr')]"
                       ".find(r => r.cells[0].textContent === 'oauth_nonce').cells[1].textContent")
    rows, said = compared(page, base.replace(nonce, "another"))
    assert rows == [["oauth_nonce", nonce, "another", "another nonce: the signatures must differ"]]
    assert "are the same" not in said
    rows, _ = compared(page, base.replace("a%3D1%26a%3D2", "a%3D2%26a%3D3"))
    assert [row[:3] for row in rows] == [["a", "1", "3"]]


# What the page is given of a request of which not everything is kept.
CUTTING = """const ask = window.fetch;
window.fetch = async (path, options) => {
  const response = await ask(path, options);
  if (!/^\\/requests\\/\\d+$/.test(path)) return response;
  const told = await response.json();
  told.signature.cut = true;
  const long = told.signature.parameters.find(({ name }) => name === 'long');
  if (long) long.value = `${long.value.slice(0, 4)}…`;
  else told.signature.parameters_left_out = 3;
  return new Response(JSON.stringify(told), { headers: { 'Content-Type': 'application/json' } });
};"""


@pytest.mark.parametrize("query, said, remark", [
    ("long=abcdefgh&x=1", "1 of its parameters is cut", "long was not compared: the inspector has the beginning alone"),
    ("x=1", "3 more parameters are left out", "3 more parameters of the request are not here"),
])
def test_what_was_cut_is_not_judged(world, launch, open_page, query, said, remark):
    paraph = launch(world.configuration())
    page = open_page(paraph)
    page.call("Page.addScriptToEvaluateOnNewDocument", source=CUTTING)
    page.open(f"{page.origin}/")
    live(page)
    ask(paraph, f"{world.URL}/x?{query}").verified()
    wait_for_rows(page, 1)
    assert f"This is not all that was signed: {said}" in opened(page)
    whole = base_string(page).replace("abcd…", "abcdefgh")
    for other in (whole, whole + "%26zz%3D1" if "left out" in said else whole):
        rows, text = compared(page, other)
        assert rows == [] and remark in text and "does not tell whether they are the same" in text, text
    rows, _ = compared(page, whole.replace("x%3D1", "x%3D2"))
    assert [row[:3] for row in rows] == [["x", "1", "2"]]


def test_keys_for_the_ends_of_the_list(world, launch, open_page):
    paraph = launch(world.configuration())
    page = open_page(paraph)
    live(page)
    with paraph.raw(f"{world.HOST}:443") as client:
        for number in range(3):
            client.exchange(request("GET", f"/n/{number}", world.HOST), "GET")
    wait_for_rows(page, 3)
    for key, last in (("End", True), ("Home", False), ("G", True), ("g", False)):
        page.open(f"{page.origin}/?{key}")
        live(page)
        with paraph.raw(f"{world.HOST}:443") as client:
            for number in range(3):
                client.exchange(request("GET", f"/n/{key}/{number}", world.HOST), "GET")
        page.wait("document.querySelectorAll('#rows tr').length >= 3")
        page.press(key)
        row = "#rows tr:last-child" if last else "#rows tr:first-child"
        assert page.value(f"document.querySelector('{row}').hasAttribute('aria-current')"), key


def test_no_field_where_there_is_none(world, launch, open_page):
    paraph = launch(world.configuration({"main": world.api(oauth1={"placement": "query"})}))
    page = open_page(paraph)
    live(page)
    ask(paraph, f"{world.URL}/x").verified()
    wait_for_rows(page, 1)
    opened(page)
    assert page.value("document.querySelector('.base') !== null")
    assert "Authorization" not in page.value("[...document.querySelectorAll('#detail h4')].map(h => h.textContent)")


def test_keys_and_cards_on_a_phone(world, launch, open_page):
    paraph = launch(world.configuration())
    page = open_page(paraph, width=390, height=800)
    live(page)
    ask(paraph, f"{world.URL}/x").verified()
    wait_for_rows(page, 1)
    opened(page)
    page.wait("document.activeElement.id === 'detail'")
    page.press("Escape")
    assert page.value("document.activeElement.closest('#rows tr') !== null")
    for view in ("accounts", "ca"):
        page.value(f"location.hash = '{view}'")
        page.wait(f"document.querySelector('#{view} .scroll')")
        assert page.value(f"(s => s.scrollWidth <= s.clientWidth)(document.querySelector('#{view} .scroll'))"), view
    label = "getComputedStyle(document.querySelector('#ca td'), '::before').content"
    assert page.value(label) == 'attr(data-label)' or "Runtime" in page.value(label)


@pytest.mark.parametrize("runtime, program", [
    ("wget", 'wget -qO- "$URL"'),
    ("PHP", "php -r '$c = curl_init(getenv(\"URL\")); curl_setopt($c, CURLOPT_RETURNTRANSFER, true); $b = curl_exec($c);"
            " echo $b === false ? curl_error($c) : $b; exit($b === false ? 1 : 0);'"),
])
def test_lines_of_runtimes_that_read_files(world, launch, open_page, tmp_path, runtime, program):
    name = program.split()[0]
    if subprocess.run(["sh", "-c", f"command -v {name}"], stdout=subprocess.DEVNULL, timeout=LIMIT).returncode:
        pytest.skip(f"there is no {name} on this machine")
    if name == "php" and "curl" not in subprocess.run(["php", "-m"], capture_output=True, text=True, timeout=LIMIT).stdout:
        pytest.skip("this PHP has no curl functions")
    paraph = launch(world.configuration())
    page = open_page(paraph)
    live(page)
    page.value("location.hash = 'ca'")
    page.wait("document.querySelector('#ca table')")
    lines = dict(page.value("[...document.querySelectorAll('#ca tbody tr')].map(r => [...r.cells].map(c => c.textContent))"))
    (tmp_path / "ca.pem").write_bytes(paraph.ca.read_bytes())
    (tmp_path / ".wgetrc").write_text("# the user's own")
    script = f"cp ca.pem roots.pem\n{lines[runtime]}\ncd /\n{program}\n"
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "URL": f"{world.URL}/x",
                   "https_proxy": f"http://{paraph.addresses['proxy']}"}
    for trusted in (True, False):
        text = script if trusted else script.replace(lines[runtime], "")
        done = subprocess.run(["bash", "-euc", text], env=environment, cwd=tmp_path, capture_output=True, text=True,
                              timeout=LIMIT)
        assert (done.returncode == 0) == trusted, (done.stdout, done.stderr)
    wait_for_rows(page, 1)


def test_health_says_what_others_can_ask_for(world, launch, open_page):
    page = open_page(launch(world.configuration()))
    live(page)
    page.value("location.hash = 'health'")
    page.wait("document.querySelector('#health h2')")
    said = page.text("#health")
    assert "shown no requests and no status" in said and "names of the accounts" in said
    assert page.value("[...document.querySelectorAll('#health code')].map(c => c.textContent)").count("paraph doctor") == 1


def test_health_runs_the_checks(world, launch, open_page):
    """Those of `paraph doctor`, when the button is pressed; the page shows what they find and what to do."""
    configuration = world.configuration()
    configuration["apis"]["gone"] = {**configuration["apis"]["main"], "hosts": ["gone.invalid"]}
    configuration["apis"]["gone"].pop("connect_to", None)
    page = open_page(launch(configuration))
    live(page)
    page.value("location.hash = 'health'")
    page.wait("document.querySelector('#health button')")
    assert "Findings" not in page.value("document.getElementById('health').innerHTML")
    page.value("document.querySelector('#health button').click()")
    page.wait("document.querySelector('#health [role=status]').innerText.startsWith('Done')")
    rows = page.value("[...document.querySelectorAll('#health tbody tr')].map(r => [...r.cells].map(c => c.innerText))")
    told = {(subject, verdict.split(" ")[1]): (found, to_do) for subject, verdict, found, to_do in rows}
    assert told["name", "fails"] == ("gone.invalid does not resolve", "getent hosts gone.invalid   # then /etc/resolv.conf")
    assert ("certificates", "ok") in told and ("local CA", "ok") in told and ("vault", "ok") in told, told
    assert "s apart" in told["clock", "ok"][0]
    assert told["clients", "left"][1].startswith("paraph doctor --config ")
    failing = sum("fails" in verdict for _, verdict, _, _ in rows)
    assert page.text("#health [role=status]").startswith(f"Done: {len(rows)} findings, {failing} failing")


def test_checks_that_cannot_be_had_are_told(world, launch, open_page):
    paraph = launch(world.configuration())
    page = open_page(paraph)
    live(page)
    page.value("location.hash = 'health'")
    page.wait("document.querySelector('#health button')")
    page.value("""window.fetch = ((ask) => (path, options) => path === '/doctor'
        ? Promise.resolve(new Response('{"message":"The checks are being run for somebody else."}', { status: 409 }))
        : ask(path, options))(window.fetch)""")
    page.value("document.querySelector('#health button').click()")
    page.wait("[...document.querySelectorAll('#health .box')].some(b => b.innerText.includes('for somebody else'))")


def test_accounts_say_who_waits(world, launch, provider, open_page):
    application = provider.new_application()
    accounts = {"default": world.reverse_auth_account(application)}
    paraph = launch(world.configuration({"main": world.api(application=application, accounts=accounts)}))
    page = open_page(paraph)
    live(page)
    page.value("location.hash = 'accounts'")
    page.wait("document.querySelector('#accounts tbody')")
    assert page.text("#accounts td:last-child") == "0"
    application.reverse_auth.gate.clear()
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        try:
            answer = pool.submit(ask, paraph, f"{world.URL}/x")
            page.wait("document.querySelector('#accounts .waiters')?.innerText.startsWith('127.0.0.1: 1 request, since ')")
        finally:
            application.reverse_auth.gate.set()
        answer.result(LIMIT).verified()
    page.wait("document.querySelector('#accounts td:last-child').innerText === '0'")
