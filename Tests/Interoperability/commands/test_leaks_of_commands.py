"""No secret leaves the commands either, whatever they are given and whatever a provider tells them."""

import base64
import itertools
import json
import re
import secrets
import signal
import threading
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from harness.echoes import DIALECTS, EMPTY_HANDED, STYLES, Reply
from harness.estate import TAIL, RunningProxy
from harness.paraph import yaml
from harness.raw import RawClient, request
from harness.rfc5849 import encode
from harness.waiting import LIMIT

ADDRESS = re.compile(r"https://\S*[?&]oauth_token=\S+")
SOME_DIALECTS = list(DIALECTS)[::5]


class Desk:
    """A configuration with a vault of its own, and the commands on it."""

    def __init__(self, estate):
        self.estate, self.folder = estate, estate.folder / "commands"
        self.key = estate.evidence.write(self.folder / "vault.key", self.new_key() + "\n")
        configuration = estate.configuration()
        configuration["vault"] = {"key": {"file": str(self.key)}}
        self.file = estate.write_configuration(self.folder, configuration)

    def new_key(self):
        key = base64.b64encode(secrets.token_bytes(32)).decode()
        self.estate.canaries.know(f"vault key {len(self.estate.canaries)}", key)
        return key

    def run(self, *arguments, stdin="", **options):
        title = " ".join(arguments[:4])
        return self.estate.done(
            title, *arguments, "--config", str(self.file), folder=self.folder, stdin=stdin, **options
        )

    def login(self, api, account, **options):
        return self.run("login", api, "--account", account, "--no-browser", **options)

    def three_legged(self, person, api="signed", account="pin"):
        """A login with a person, who is given the process, the temporary token and its verifier."""
        command = self.estate.command(
            f"login {api}/{account}",
            *("login", api, "--account", account, "--no-browser", "--config", str(self.file)),
            folder=self.folder,
        )
        address = command.wait_for(ADDRESS.search, "the address").group()
        token = parse_qs(urlsplit(address).query)["oauth_token"][0]
        person(command, token, self.estate.temporary[token])
        code = command.wait()
        # A crash is no answer; 130 is the answer to SIGINT.
        assert 0 <= code < 128 or code == 130, f"{code}: {command.text}"
        return code, command.text


@pytest.fixture(scope="module")
def desk(estate):
    yield Desk(estate)
    estate.check(everything=True)


# Logins


def types(what=None):
    return lambda command, token, verifier: command.type(f"{what or verifier}\n")


class Visit:
    """The browser comes back to the listener on loopback."""

    def __init__(self, estate, *queries):
        self.estate, self.queries = estate, queries

    def __call__(self, command, token, verifier):
        callback = urlsplit(self.estate.callback)
        for query in self.queries:
            target = f"{callback.path}?{query.format(token=encode(token), verifier=encode(verifier))}"
            with RawClient(callback.netloc) as client:
                answer = client.exchange(request("GET", target, callback.netloc))
            self.estate.evidence.answer("the callback listener's answer", answer)


def test_logins_that_succeed(desk, estate):
    for account in ("xauth", "reverse"):
        assert desk.login("signed", account)[0] == 0
    for api in ("members", "standard"):
        assert desk.login(api, "default")[0] == 0
    assert desk.three_legged(types())[0] == 0
    assert desk.three_legged(Visit(estate, "oauth_token={token}&oauth_verifier={verifier}"), account="browser")[0] == 0
    assert desk.three_legged(lambda command, *_: command.type("\n"), account="old")[0] == 0


def test_logins_that_the_person_spoils(desk, estate):
    own = estate.plant("what a browser or a person says", "")
    wrong = "oauth_token={token}&oauth_verifier=" + own
    assert desk.three_legged(types(own))[0] != 0
    assert desk.three_legged(types(f"{own} \x01{own}"))[0] != 0
    assert desk.three_legged(lambda *_: None)[0] != 0
    strangers = [f"oauth_token={own}&oauth_verifier={own}", f"{own}"]
    assert desk.three_legged(Visit(estate, *strangers, wrong), account="browser")[0] != 0
    assert desk.three_legged(Visit(estate, f"denied={{token}}&x={own}"), account="browser")[0] != 0
    code, _ = desk.three_legged(lambda command, *_: command.process.send_signal(signal.SIGINT))
    assert code != 0


def test_logins_at_a_provider_that_echoes(desk, estate):
    styles = itertools.cycle(STYLES)
    for dialect in SOME_DIALECTS:
        for api, account, path, secret in (
            ("signed", "pin", "/legs/request_token", estate.signed.secret),
            ("signed", "xauth", "/xauth/access_token", estate.xauth_password),
            ("standard", "default", "/token/standard", estate.client_secrets["standard"]),
        ):
            estate.say(path, DIALECTS[dialect](STYLES[next(styles)](secret)))
            assert desk.login(api, account)[0] != 0
        written = STYLES[next(styles)]

        def echo(call, dialect=dialect, written=written):
            """The verifier, the temporary credentials' secret, and that of the consumer."""
            token = call.record.verdict.token if call.record.verdict else None
            known = [estate.temporary[token.value], token.secret] if token else []
            return DIALECTS[dialect](" ".join(written(one) for one in [*known, estate.signed.secret]))

        def refuse(call, echo=echo):
            call.check_alone()
            return echo(call)

        estate.script = {"/legs/access_token": refuse}
        assert desk.three_legged(types())[0] != 0


def test_logins_that_bring_nothing(desk, estate):
    for title in list(EMPTY_HANDED)[::2]:
        fresh = estate.plant(f"what comes with {title}", "_-.~")
        estate.say("/legs/request_token", EMPTY_HANDED[title](estate.signed.secret, fresh))
        assert desk.login("signed", "pin")[0] != 0
        estate.say("/legs/access_token", EMPTY_HANDED[title](estate.signed.secret, fresh))
        assert desk.three_legged(types())[0] != 0
    fresh = estate.plant("an unconfirmed secret", "")
    estate.say("/legs/request_token", Reply(200, f"oauth_token=t&oauth_token_secret={fresh}"))
    assert desk.login("signed", "pin")[0] != 0


def test_logins_at_a_provider_that_is_not_reached(desk):
    for api, account in (("pinned", "xauth"), ("pinned", "pin"), ("untrusted", "reverse"), ("down", "pin")):
        assert desk.login(api, account)[0] != 0
    for api, account in (("barred", "xauth"), ("barred", "pin"), ("unidentified", "xauth")):
        assert desk.login(api, account)[0] != 0
    assert desk.login("proxied", "xauth")[0] == 0
    for api, account in (("signed", "default"), ("facebook", "default"), ("signed", "nobody"), ("nothing", "x")):
        assert desk.login(api, account)[0] != 0


# Pins


def test_pins(desk, estate):
    root = str(estate.certificates.root_file)
    for host in ("signed", "proxied", "identified", "unidentified"):
        assert desk.run("pins", estate.host(host), "--trust", root)[0] == 0
    assert desk.run("pins", estate.host("barred"), "--trust", root)[0] != 0
    assert desk.run("pins", "--check")[0] != 0


# Accounts


def test_the_vault(desk, estate):
    desk.login("signed", "xauth")
    assert desk.run("accounts", "list")[0] == 0
    code, text = desk.run("accounts", "list", "--long")
    assert code == 0 and "xauth" in text
    for line in desk.run("accounts", "list")[1].splitlines():
        assert desk.run("accounts", "show", *line.split("\t"))[0] == 0
    assert desk.run("accounts", "rekey")[0] == 0
    estate.canaries.know("the vault's new key", desk.key.read_text().strip())
    assert desk.run("accounts", "list", "--long")[0] == 0
    broken = sorted((desk.folder / "state" / "vault").rglob("*"))
    broken = [file for file in broken if file.is_file() and file.stat().st_size > 100][0]
    broken.write_bytes(broken.read_bytes()[:-9])
    assert desk.run("accounts", "list", "--long")[0] != 0
    assert desk.run("accounts", "rekey")[0] != 0
    right = desk.key.read_text()
    for wrong in (desk.new_key(), right[:30], right.strip() + "x", "x" + right):
        estate.evidence.write(desk.key, wrong)
        assert desk.run("accounts", "list", "--long")[0] != 0
    estate.evidence.write(desk.key, right)
    assert desk.run("accounts", "remove", "signed", "xauth")[0] == 0
    assert desk.run("accounts", "remove", "signed", "xauth")[0] != 0
    assert desk.run("accounts", "show", "signed", "xauth")[0] != 0


# Configurations


def wrong_values(estate):
    """Configurations that are wrong where the secrets are; each value of `own` is one."""
    own = (estate.plant("a mistaken value", tail) for tail in itertools.cycle(["", TAIL, "\x07", "\n"]))
    number = (str(secrets.randbelow(9 * 10**30) + 10**30) for _ in itertools.count())

    def digits():
        return int(estate.canaries.know(f"a number #{len(estate.canaries)}", next(number)))

    def changed(change):
        configuration = estate.configuration()
        change(configuration, configuration["apis"])
        return configuration

    def mistaken(value):
        def change(whole, apis):
            whole["vault"]["key"] = value()
            whole["enrolment"]["token"] = value()
            whole["access"]["clients"][0]["password"] = value()
            apis["signed"]["oauth1"]["consumer_secret"] = value()
            apis["signed"]["accounts"]["default"]["token_secret"] = value()
            apis["signed"]["accounts"]["xauth"]["xauth"]["password"] = value()
            apis["signed"]["accounts"]["reverse"]["reverse_auth"]["signed_as"]["consumer_secret"] = value()
            apis["rsa"]["oauth1"]["private_key"] = value()
            apis["standard"]["oauth2"]["client_secret"] = value()
            apis["standard"]["accounts"]["default"]["password"]["password"] = value()
            apis["facebook"]["accounts"]["default"]["token"] = value()
            apis["proxied"]["upstream_proxy"]["password"] = value()

        return changed(change)

    def misplaced(key):
        """A secret in the place of something else."""

        def change(whole, apis):
            apis["identified"]["tls"]["client_private_key"] = key
            apis["proxied"]["upstream_proxy"] |= {"url": f"http://paraph:{next(own)}@proxy.example:3128"}
            apis["barred"]["upstream_proxy"] = f"http://paraph:{next(own)}@proxy.example:3128/"

        return changed(change)

    private_key = Path(estate.identities["known"]["client_private_key"])
    yield misplaced(private_key.read_text())
    yield misplaced(estate.in_file(next(own))["file"])
    yield misplaced(estate.in_file(private_key.read_text().replace("\n", "\n=", 2))["file"])
    yield misplaced(estate.identities["unknown"]["client_private_key"])
    yield mistaken(lambda: next(own))
    yield mistaken(lambda: [next(own)])
    yield mistaken(lambda: {"value": next(own)})
    yield mistaken(lambda: {"file": "/nowhere", "value": next(own)})
    yield mistaken(digits)
    yield mistaken(lambda: estate.in_variable(next(own)))
    yield mistaken(lambda: estate.in_file(next(own) + "\n\n"))
    yield mistaken(lambda: estate.in_file(f"-----BEGIN PRIVATE KEY-----\n{next(own)}\n-----END PRIVATE KEY-----"))


def broken_texts(desk, estate):
    """Files that are no YAML, or none that is taken, next to a secret."""
    text = desk.file.read_text()
    line = next(line for line in text.splitlines() if estate.client_secrets["standard"][:20] in line)
    own = estate.plant("a secret in a broken line", "")
    for instead in (
        f"{line}\n{line}",
        line[:-1],
        f"{line} {own}",
        f"\t{line}",
        line.replace('": "', '": &'),
        line.replace('": "', '": *'),
        line.replace('": "', '": !!binary "'),
        line.replace('": "', '": |\n') + "\x00",
        f"{line}: {own}",
        f"[{own}, {{{own}: {own}",
    ):
        yield text.replace(line, instead)


def test_configurations_that_are_wrong(desk, estate):
    folder = estate.folder / "wrong"
    texts = [yaml(configuration) + "\n" for configuration in wrong_values(estate)]
    for number, text in enumerate([*texts, *broken_texts(desk, estate)]):
        file = estate.evidence.write(folder / f"wrong{number}.yaml", text)
        code, said = estate.done(f"check {number}", "check", "--config", str(file), folder=folder)
        if code != 0 and number % 4 == 0:
            estate.done(f"run {number}", "run", "--config", str(file), folder=folder, expected=[65, 66, 78, code])
    assert estate.done("check", "check", "--config", str(desk.file), folder=folder)[0] == 0
    missing = {name: "" for name in estate.environment}
    assert estate.done("check", "check", "--config", str(desk.file), folder=folder, environment=missing)[0] != 0


def test_runs_that_do_not_start(estate):
    folder = estate.folder / "not-starting"
    own = estate.plant("a broken key of the local CA", "")
    configuration = estate.configuration()
    file = estate.write_configuration(folder, configuration)
    for text in (f"-----BEGIN PRIVATE KEY-----\n{own}\n-----END PRIVATE KEY-----\n", own):
        estate.evidence.write(folder / "state" / "ca.key", text)
        assert estate.done("run with a broken CA", "run", "--config", str(file), folder=folder)[0] != 0
    configuration["vault"] = {"key": estate.in_variable(estate.plant("no vault key", ""))}
    file = estate.write_configuration(estate.folder / "no-vault-key", configuration)
    assert estate.done("run without a vault key", "run", "--config", str(file), folder=file.parent)[0] != 0


def test_a_proxy_that_is_ended_while_it_works(estate):
    running = RunningProxy(estate, estate.folder / "ended", estate.configuration())
    held, released = threading.Event(), threading.Event()

    def hold(call):
        held.set()
        released.wait(LIMIT)
        return DIALECTS["Problem Reporting in the body"](estate.signed.secret)

    estate.script = {"/held": hold}
    asking = threading.Thread(target=running.ask, args=("signed", "/held"), kwargs={"plain": True})
    asking.start()
    assert held.wait(LIMIT)
    running.command.process.terminate()
    released.set()
    asking.join(LIMIT)
    running.stop()


# Presets


def test_presets(estate):
    names = json.loads(estate.done("presets", "presets", "--json")[1])
    assert names
    assert estate.done("presets", "presets")[0] == 0
