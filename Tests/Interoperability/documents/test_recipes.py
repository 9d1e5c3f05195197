"""What docs/recipes.md shows, taken from it and run."""

import json
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, pkcs12

from harness.applications import secret
from harness.connect_proxy import ConnectProxy
from harness.programs import need
from harness.readme import Block, answers, block

X = "The developer portal shows"
DISCOGS = "Every request has to name"
NETSUITE = "With token-based authentication"
MAGENTO = "Activating an integration"
WOOCOMMERCE = "A shop with HTTPS"
MASTERCARD = block("yaml", "There is no token, and the key")
KEY = block("sh", "There is no token, and the key")
PROGRAMS = {
    "ask.py": block("python", "Python, with nothing"),
    "ask.mjs": block("js", "Node, with its own"),
    "Ask.java": block("java", "Java, with its own"),
}
ASK = block("sh", "Saved as `ask.py`")
USERS = block("yaml", "One proxy signs for several")
NAMED = block("sh", "A client names itself")
READY = block("sh", "Beside an application")
APPLICATION = block("sh", "The application reads them")
QUIT = block("sh", "A Job's work ends")
CORPORATE = block("yaml", "Where servers are reached")
THROUGH = block("sh", "Where servers are reached")
AGENT = block("yaml", "A program that is not trusted")
KEPT = block("sh", "`paraph exec` keeps the variables")
SANDBOX = block("sh", "`unshare` has what is needed")


@dataclass
class Recipe:
    configuration: Block
    commands: Block
    # What is the provider's own in how its requests are signed.
    signs_with: str
    placement: str = "header"
    realm: bytes | None = None
    hashes: bool = False
    clear_text: bool = False


RECIPES = {
    "X": Recipe(block("yaml", X), block("sh", "A post of API version 2"), "HMAC-SHA1"),
    "Discogs": Recipe(block("yaml", DISCOGS), block("sh", DISCOGS), "PLAINTEXT"),
    "NetSuite": Recipe(block("yaml", NETSUITE), block("sh", NETSUITE), "HMAC-SHA256", realm=b"1234567_SB1"),
    "Mastercard": Recipe(MASTERCARD, block("sh", "Every body goes into the signature"), "RSA-SHA256", hashes=True),
    "Magento": Recipe(block("yaml", MAGENTO), block("sh", MAGENTO), "HMAC-SHA256"),
    "WooCommerce": Recipe(
        block("yaml", WOOCOMMERCE), block("sh", WOOCOMMERCE), "HMAC-SHA256", placement="query", clear_text=True
    ),
}
RUN_HERE = [found for found in globals().values() if isinstance(found, Block)]
RUN_HERE += [one for recipe in RECIPES.values() for one in (recipe.configuration, recipe.commands)]
RUN_HERE += PROGRAMS.values()


def credentials(site, configuration, users=("default",)):
    """The provider's side of a configuration, and the variables that it names."""
    site.application = site.provider.new_application(rsa_key=configuration is MASTERCARD)
    values = {"CONSUMER_KEY": site.application.key, "CONSUMER_SECRET": site.application.secret}
    found = {}
    for user in users:
        token = site.application.issue(user)
        values |= {"TOKEN": token.value, "TOKEN_SECRET": token.secret}
        for variable in configuration.variables():
            owner, _, kind = variable.partition("_")
            if kind in values and (len(users) == 1 or owner in ("X", user.upper())):
                found.setdefault(variable, values[kind])
    return found


def prepared(site, folder, recipe):
    """The shell of somebody who has followed the recipe up to its commands."""
    secrets = credentials(site, recipe.configuration)
    connect_to = site.provider.listen(None).address if recipe.clear_text else None
    shell = site.beside(folder, recipe.configuration, connect_to=connect_to)
    if recipe.configuration is MASTERCARD:
        password = secret("p12")
        key = serialization.load_pem_private_key(
            site.application.private_key[serialization.PrivateFormat.PKCS8], password=None
        )
        (folder / "sandbox.p12").write_bytes(
            pkcs12.serialize_key_and_certificates(
                b"sandbox", key, None, None, BestAvailableEncryption(password.encode())
            )
        )
        code, said = shell.run(KEY, P12_PASSWORD=password)
        assert code == 0, said
        assert (folder / "key.pem").stat().st_mode & 0o777 == 0o600
    return shell, secrets


def look_at(site, recipe, count):
    """As many requests came as were sent, each signed as this provider has it."""
    assert not site.refused()
    assert len(site.provider.records) == count
    for record in site.provider.records:
        verdict = record.verdict
        assert verdict.application is site.application
        assert verdict.parameters["oauth_signature_method"] == recipe.signs_with
        assert verdict.placement == recipe.placement
        assert verdict.realm == recipe.realm
        assert ("oauth_body_hash" in verdict.parameters) == recipe.hashes
        has_token = any(name.endswith("_TOKEN") for name in recipe.configuration.variables())
        assert verdict.token.user == ("default" if has_token else "nobody")
        assert record.values("user-agent") != []


@pytest.mark.parametrize("title", RECIPES)
def test_a_provider_by_curl(site, tmp_path, title):
    recipe = RECIPES[title]
    shell, secrets = prepared(site, tmp_path, recipe)
    code, said = shell.run(recipe.commands, **secrets)
    assert code == 0, said
    curls = recipe.commands.text.count("paraph exec -- curl ")
    assert [status for status, _ in answers(said)] == [200] * curls, said
    look_at(site, recipe, curls)


@pytest.mark.parametrize("program", ["python3 ask.py", "node ask.mjs", "java Ask.java"])
@pytest.mark.parametrize("title", RECIPES)
def test_a_provider_by_other_languages(site, tmp_path, title, program):
    recipe = RECIPES[title]
    word, file = program.split()
    need(word, [word])
    lines = [line for line in ASK.text.splitlines() if program in line]
    shell, secrets = prepared(site, tmp_path, recipe)
    (tmp_path / file).write_text(PROGRAMS[file].text)
    url = next(part for part in shlex.split(recipe.commands.text) if part.startswith("http"))
    assert len(lines) == 1 and "'https://api.x.com/2/users/me'" in lines[0]
    code, said = shell.run(lines[0].replace("https://api.x.com/2/users/me", url), **secrets)
    assert code == 0 and re.search(r"(?m)^(Python|Node|Java): 200$", said), f"{said}\n{site.refused()}"
    look_at(site, recipe, 1)


def test_accounts_of_many_users(site):
    secrets = credentials(site, USERS, users=("alice", "bob"))
    secrets |= {"BILLING_PASSWORD": secret("pw"), "SUPPORT_PASSWORD": secret("pw")}
    shell = site.run(USERS, **secrets)
    passwords = {name: value for name, value in secrets.items() if name.endswith("_PASSWORD")}
    prepare = "curl -o ca.pem http://127.0.0.1:8081/ca.pem\nexport HTTPS_PROXY=http://127.0.0.1:8080 CURL_CA_BUNDLE=ca.pem"
    code, said = shell.run(prepare, NAMED, **passwords)
    assert code == 0, said
    assert [json.loads(body)["user"] for status, body in answers(said)[-2:] if status == 200] == ["alice", "bob"], said
    mine, theirs = NAMED.text.splitlines()
    for command in (mine.replace("+alice", "+bob"), theirs.replace("bob", "carol")):
        assert command not in NAMED.text
        code, said = shell.run(prepare, command, **passwords)
        assert code == 22 and said.endswith("\n403\n"), said
    assert len(site.provider.records) == 2


def test_a_sidecar(site):
    configuration = RECIPES["X"].configuration
    secrets = credentials(site, configuration)
    shell = site.run(configuration, names_port=True, **secrets)
    file = shell.folder / "paraph.yaml"
    file.write_text(file.read_text().replace("admin: '127.0.0.1:0'", f"admin: '{shell.addresses['127.0.0.1:8081']}'"))
    code, said = shell.run(READY, **secrets)
    assert (code, said) == (0, "ready\n")
    code, said = shell.run(APPLICATION)
    assert code == 0 and [status for status, _ in answers(said)] == [200], said
    look_at(site, RECIPES["X"], 1)
    code, said = shell.run(QUIT)
    assert code == 0 and said.endswith("202\n"), said
    site.paraph.may_end = True
    assert site.paraph.wait() == 0


def test_behind_a_corporate_proxy(site, tmp_path):
    secrets = credentials(site, CORPORATE)
    password = secret("pw")
    other = ConnectProxy(username=CORPORATE.setting("username"), password=password)
    secrets["UPSTREAM_PROXY_PASSWORD"] = password
    shell = site.beside(tmp_path, CORPORATE)
    file = tmp_path / "paraph.yaml"
    file.write_text(file.read_text().replace("proxy.example.com:3128", other.address))
    code, said = shell.run(THROUGH, **secrets)
    other.close()
    assert code == 0 and [status for status, _ in answers(said)] == [200], said
    assert other.opened == [site.listener.address] and not other.violations
    look_at(site, RECIPES["X"], 1)


def test_an_agent_gets_answers_and_no_secret(site, tmp_path):
    secrets = credentials(site, AGENT)
    shell = site.beside(tmp_path, AGENT)
    code, said = shell.run(KEPT, **secrets)
    assert code == 0 and said.endswith("no secret here\n"), said
    assert [status for status, _ in answers(said)] == [200], said
    look_at(site, RECIPES["X"], 1)
    for more in ("-X DELETE https://api.x.com/2/tweets/1", "https://api.x.com/1.1/direct_messages", "https://example.com/"):
        code, said = shell.run(f"paraph exec -- curl {more}", **secrets)
        assert code != 0 and "403" in said, said
    assert len(site.provider.records) == 1


def test_a_sandbox_stands_inside_of_exec(site, tmp_path):
    need("unshare", ["unshare"])
    allowed = ["unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork", "--mount-proc", "true"]
    if subprocess.run(allowed, capture_output=True).returncode:
        pytest.skip("this machine lets nobody make namespaces")
    folder = tmp_path / "configured"
    folder.mkdir()
    secrets = credentials(site, AGENT)
    shell = site.beside(folder, AGENT)
    # The tools of the test are in the folder that disappears.
    tools = tmp_path / "tools"
    shutil.copytree(folder / "bin", tools, symlinks=True)
    shell.environment |= {"PATH": f"{tools}:{shell.environment['PATH']}", "CURL_HOME": str(tools)}
    code, said = shell.run(SANDBOX, **secrets)
    assert code == 0 and [status for status, _ in answers(said)] == [200], said
    look_at(site, RECIPES["X"], 1)
    curl = "curl https://api.x.com/2/users/me"
    assert SANDBOX.text.count(curl) == 1
    search = f"sh -c 'cat /proc/[0-9]*/environ | tr \"\\0\" \"\\n\" | grep -c ^X_; ls -A {folder}; true'"
    looked = "\n".join([SANDBOX.text.replace(curl, search), f"ls {folder}/paraph.yaml"])
    code, said = shell.run(looked, **secrets)
    # Not a variable within, not a file; outside they are there still.
    assert code == 0 and said == f"0\n{folder}/paraph.yaml\n", said
