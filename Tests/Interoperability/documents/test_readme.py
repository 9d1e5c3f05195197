"""What README.md and the pages that go on with it show, taken from them and run: configurations by `paraph run`, commands
by bash. What recipes show is run by `test_recipes.py`."""

import json
import re
import shutil

import pytest

import test_recipes
from conftest import binary
from harness.documented import TWITTER, Site
from harness.login import Browser
from harness.password_grant import PasswordGrant
from harness.programs import need, only
from harness.readme import README, Block, Shell, answers, block, blocks, configuration
from harness.three_legged import ThreeLegged
from harness.vectors import VECTORS

SHORT = block("yaml", "Put this into `paraph.yaml`")
SHORT_COMMANDS = block("sh", "Put this into `paraph.yaml`")
CHECK = block("sh", "Check it and start the proxy")
CA = block("sh", "At first start Paraph makes a local CA")
SIGNED = block("sh", "Now a client's requests are signed")
GATEWAY = block("yaml", "A client that can use neither")
THROUGH = block("sh", "Requests to that port")
EXEC = block("sh", "`paraph exec` runs a command")
ENV = block("sh", "A whole shell works too")
DOCTOR = block("sh", "When something does not work")
PINS = block("sh", "## Pinning")
DISCOGS = block("yaml", "The preset knows the provider")
LOGIN = block("sh", "The preset knows the provider")
MEMBERS = block("yaml", "The access token is fetched")
GRANTED = block("sh", "The access token is fetched")
ENROLMENT = block("yaml", "A back end hands over")
REGISTER = block("sh", "For access type 2")
EXPLAIN = block("sh", "No proxy, no configuration")
AGAINST = block("sh", "When another signer comes")
PARTED = block("text", "When another signer comes")
OF_ACCOUNT = block("sh", "With an account of the configuration")
POSTMAN = block("sh", "Options such as `--header`")
POSTMAN_PARTED = block("text", "Options such as `--header`")
RECEIVED = block("sh", "A server has a path")
RECEIVED_REFUSED = block("text", "A server has a path")
TOKEN_FIELD = block("yaml", "It is sent as `Authorization: Bearer TOKEN`")
# The account that these pages explain requests of.
PICTURES = {
    "apis": {
        "pictures": {
            "hosts": ["api.example.com"],
            "oauth1": {"consumer_key": "ck", "consumer_secret": {"env": "PICTURES_SECRET"}},
            "accounts": {"default": {"token": "tk", "token_secret": {"env": "PICTURES_TOKEN_SECRET"}}},
        }
    }
}
PICTURES_SECRETS = {"PICTURES_SECRET": "the consumer secret", "PICTURES_TOKEN_SECRET": "the token secret"}
RUN_HERE = [found for found in globals().values() if isinstance(found, Block)]
# What every client's shell begins with: the proxy and its CA.
EXPORTS = next(line for line in SIGNED.text.splitlines() if line.startswith("export "))


def test_every_block_is_run_here():
    run = [*RUN_HERE, *test_recipes.RUN_HERE]
    left = [b for b in blocks() if b.language and b not in run]
    # Builds: the check makes them, and `test_packages.py` looks at what comes out.
    assert [b.text for b in left if not b.text.startswith(("swift ", "Release/build "))] == []


def test_lines_fit():
    assert [line for line in README.read_text().splitlines() if len(line) > 120] == []


@pytest.fixture
def shell(tmp_path):
    """Where no proxy runs."""
    return Shell(binary(), tmp_path)


@pytest.mark.parametrize(
    "parts",
    [
        [TWITTER],
        [TWITTER, GATEWAY],
        [DISCOGS],
        [MEMBERS],
        [TWITTER, ENROLMENT],
        [TOKEN_FIELD],
        [TWITTER, GATEWAY, DISCOGS, MEMBERS, ENROLMENT],
    ],
    ids=["the first", "a gateway", "a preset", "a password", "enrolment", "a field", "all in one file"],
)
def test_a_configuration_is_good_as_it_stands(shell, parts):
    (shell.folder / "paraph.yaml").write_text(configuration(*parts))
    good(*shell.run("paraph check", **{name: f"value-of-{name}" for p in parts for name in p.variables()}))


def good(code, said):
    *notes, last = said.splitlines()
    assert code == 0 and last.startswith("paraph.yaml: good"), said
    assert [n for n in notes if not re.match(r"paraph\.yaml:[0-9]+:[0-9]+: note: ", n)] == [], said


def test_the_lines_that_check_and_start(site):
    """`paraph run` itself is what the harness starts."""
    secrets = site.twitter()
    shell = site.run(TWITTER, **secrets)
    *lines, last = CHECK.text.splitlines()
    assert re.match(r"paraph run +# proxy on 127.0.0.1:8080, admin listener on 127.0.0.1:8081$", last)
    exported, check = lines
    assert exported == "export " + " ".join(f"{name}=…" for name in secrets)
    good(*shell.run(check, **secrets))


def test_requests_are_signed(site):
    shell = site.run(TWITTER, **site.twitter())
    code, said = shell.run(CA, SIGNED)
    assert code == 0, said
    _, *told = answers(said)
    assert [status for status, _ in told] == [200] * SIGNED.curls()
    targets = site.verified("default")
    assert len(targets) == SIGNED.curls() and len({t.partition("?")[0] for t in targets}) == 4
    signed = [{n for n, _ in r.verdict.pairs if not n.startswith(b"oauth_")} for r in site.provider.records]
    assert signed == [{b"q", b"count"}, {b"status"}, set(), set(), set(), set()]
    assert site.provider.records[2].body == b'{"text":"Hello"}'


def test_a_gateway_is_served_without_a_proxy_and_a_ca(site):
    code, said = site.run(TWITTER, GATEWAY, **site.twitter()).run(THROUGH)
    assert code == 0, said
    assert [status for status, _ in answers(said)] == [200] * THROUGH.curls()
    assert site.verified("default") == ["/1.1/account/verify_credentials.json", "/1.1/statuses/update.json"]


def test_the_short_way(site, tmp_path):
    assert SHORT.text == TWITTER.text
    secrets = site.twitter()
    exported, *commands = SHORT_COMMANDS.text.splitlines()
    assert exported == CHECK.text.splitlines()[0]
    code, said = site.beside(tmp_path, SHORT).run("\n".join(commands), **secrets)
    assert code == 0 and [status for status, _ in answers(said)] == [200], said
    assert site.verified("default") == ["/1.1/account/verify_credentials.json"]


def test_any_program_is_signed_for(site):
    for program in ("python3", "node", "java"):
        need(program, [program])
    secrets = site.twitter()
    code, said = site.run(TWITTER, **secrets).run(EXEC, **secrets)
    assert code == 0, f"{said}\n{site.refused()}"
    assert [status for status, _ in answers(said)] == [200], said
    assert re.findall(r"(?m)^(\w+): 200$", said) == ["Python", "Node", "Java"], f"{said}\n{site.refused()}"
    assert len(site.verified("default")) == len(re.findall(r"(?m)^paraph exec ", EXEC.text)) == 4


def test_a_shell_uses_the_running_proxy(site):
    secrets = site.twitter()
    code, said = site.run(TWITTER, names_port=True, **secrets).run(ENV, **secrets)
    assert code == 0 and [status for status, _ in answers(said)] == [200], said
    assert site.verified("default") == ["/1.1/account/verify_credentials.json"]


def test_the_doctor_finds_nothing(site, tmp_path):
    secrets = site.twitter()
    shell, clients = site.run(TWITTER, **secrets), ("curl", "python3", "node", "java")
    tools = shell.folder / "bin"
    (tools / "bash").symlink_to(shutil.which("bash"))
    code, said = shell.run(DOCTOR, PATH=f"{tools}:{only(tmp_path, *clients)}", **secrets)
    assert code == 0, said
    for client in clients:
        assert re.search(rf"(?m)^{client} \S+ +ok +through paraph exec: \d+$", said), said


def test_pins_are_printed_pasted_and_checked(site):
    secrets = site.twitter()
    shell = site.run(TWITTER, **secrets)
    show, check = PINS.text.splitlines()
    code, printed = shell.run(show, **secrets)
    assert code == 0, printed
    file = shell.folder / "paraph.yaml"
    trust = re.search(r"(?m)^    tls: {(trust: .*)}$", file.read_text())
    pasted = f"    tls:\n      {trust[1]}\n      pinning:\n{printed.partition('      pinning:')[2].strip(chr(10))}"
    file.write_text(file.read_text().replace(trust[0], pasted))
    code, said = shell.run(check, **secrets)
    assert code == 0 and "api.twitter.com:443 (apis.twitter): the pins match" in said, said
    # A key that the server does not have.
    wrong = re.sub(r"sha256/(.)", lambda pin: f"sha256/{'B' if pin[1] == 'A' else 'A'}", file.read_text())
    file.write_text(wrong)
    code, said = shell.run(check, **secrets)
    assert code == 77, said
    assert not site.listener.requests


def test_a_person_logs_in(site):
    application = site.provider.new_application()
    server = ThreeLegged(site.provider, application, methods=("PLAINTEXT",), needs_user_agent=True)
    for leg in server.requests:
        site.provider.route_at(f"/oauth/{leg}", server.handle)
    secrets = {"DISCOGS_CONSUMER_KEY": application.key, "DISCOGS_CONSUMER_SECRET": application.secret}
    person = site.run(DISCOGS, **secrets).begin(CA, EXPORTS, LOGIN, **secrets)
    try:
        address = person.address()
        # The person's browser finds www.discogs.com on this machine.
        assert address.startswith("https://www.discogs.com/oauth/authorize?")
        address = address.replace("www.discogs.com", f"localhost:{site.pages.port}")
        assert Browser(site.certificates).approve(address, "alice").status_code == 200
        code, said = person.finish()
    finally:
        person.end()
    assert code == 0, said
    status, body = answers(said)[-1]
    assert (status, json.loads(body)["user"], json.loads(body)["target"]) == (200, "alice", "/oauth/identity")
    assert server.requests["access_token"] == 1


def test_without_a_log_in_the_command_is_told(site):
    application = site.provider.new_application()
    shell = site.run(DISCOGS, DISCOGS_CONSUMER_KEY=application.key, DISCOGS_CONSUMER_SECRET=application.secret)
    login, curl = LOGIN.text.splitlines()
    code, said = shell.run(CA, EXPORTS, curl)
    assert code == 22 and said.endswith("\n403\n"), said
    assert login.partition(" #")[0].strip() in said
    assert not site.listener.requests


def test_the_password_grant(site):
    server = PasswordGrant(site.provider, oPRO=True)
    server.client.client_id = MEMBERS.setting("client_id")
    site.provider.route_at("/oauth/token.json", server.handle)
    site.provider.route_at("/me", server.answer)
    user = MEMBERS.setting("username")
    shell = site.run(MEMBERS, MEMBERS_CLIENT_SECRET=server.client.secret, MEMBERS_PASSWORD=server.new_user(user))
    code, said = shell.run(CA, EXPORTS, GRANTED, GRANTED)
    assert code == 0, said
    assert [(s, json.loads(b)["user"]) for s, b in answers(said)[1:]] == [(200, user)] * 2
    assert server.kinds == ["password"], "the token is fetched once"
    server.revoke_access_tokens()
    code, said = shell.run(CA, EXPORTS, GRANTED)
    assert code == 0 and json.loads(answers(said)[-1][1])["user"] == user, said
    assert server.kinds == ["password", "refresh"], "and replaced when it is refused"


def test_enrolment(site):
    secrets = site.twitter()
    site.provider.route_at("/1.1/account/verify_credentials.json", site.verify_credentials)
    shell = site.run(TWITTER, ENROLMENT, **secrets)
    user = re.search(r"passkey=(\w+)", REGISTER.text).group(1)
    token = site.application.issue(user)
    code, said = shell.run(CA, EXPORTS, REGISTER, TOKEN=token.value, TOKEN_SECRET=token.secret, **secrets)
    assert code == 0, said
    _, (created, answer), (status, body) = answers(said)
    assert created == 201 and json.loads(answer)["message"] == "USER_CREATED_SUCCESSFULLY"
    assert status == 200 and json.loads(body)["user"] == user
    assert site.verified(user) == ["/1.1/account/verify_credentials.json", "/1.1/statuses/home_timeline.json"]
    assert said.splitlines()[-1].split() == ["twitter", user], said


def test_the_presets_are_listed(shell):
    code, said = shell.run("paraph presets")
    assert code == 0
    assert DISCOGS.setting("preset") in [line.split()[0] for line in said.splitlines()]


def test_a_request_is_explained(shell):
    code, said = shell.run(EXPLAIN)
    assert code == 0, said
    published = next(v["expected"] for v in VECTORS if v["id"] == "rfc-3.4.1")
    assert f"  {published['base_string']}\n" in said, said
    assert f"  {published['signature']}\n" in said, said
    assert "j49sk3j29djd" not in said and "dh893hdasih9" not in said, "secrets are masked"


def test_requests_are_explained_of_an_account(shell):
    (shell.folder / "paraph.yaml").write_text(json.dumps(PICTURES))
    code, said = shell.run(OF_ACCOUNT, **PICTURES_SECRETS)
    assert code == 0 and "oauth_token%3Dtk" in said, said
    code, said = shell.run(POSTMAN, **PICTURES_SECRETS)
    assert code == 1 and POSTMAN_PARTED.text in said, said
    code, said = shell.run(RECEIVED, **PICTURES_SECRETS)
    assert code == 77 and RECEIVED_REFUSED.text in said, said


def test_the_difference_is_found(shell):
    exports = EXPLAIN.text.splitlines()[0]
    code, said = shell.run(exports, AGAINST)
    assert code == 1, said
    assert PARTED.text in said
