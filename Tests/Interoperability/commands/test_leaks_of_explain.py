"""No secret leaves `paraph explain` and `paraph verify`, but for the signature that is asked for."""

import json
import re

import pytest

from harness.estate import TAIL
from harness.rfc5849 import encode

URL = "https://signed.test.example/x?a=1"


@pytest.fixture(scope="module", autouse=True)
def nothing_leaks_after_all(estate):
    """A secret may be planted after it was seen."""
    yield
    estate.check(everything=True)


def credentials(estate):
    """The options for them; what they say is in the environment."""
    names = estate.in_variable(estate.signed.secret)["env"], estate.in_variable(estate.tokens["default"].secret)["env"]
    return ["--consumer-secret-env", names[0], "--token-secret-env", names[1]]


def test_explaining(estate):
    known = ["--consumer-key", estate.signed.key, "--token", estate.tokens["default"].value, *credentials(estate)]
    key = estate.in_file(estate.rsa.private_key[next(iter(estate.rsa.private_key))].decode())["file"]
    for method, more in (("HMAC-SHA1", []), ("HMAC-SHA256", ["--json"]), ("RSA-SHA256", ["--private-key-file", key])):
        code, said = estate.done("explain", "explain", "GET", URL, *known, "--signature-method", method, *more)
        assert code == 0 and "oauth_signature" in said
    header = re.search(r"OAuth oauth_[^\n']+", estate.done("explain", "explain", "GET", URL, *known)[1]).group()
    for url, against in ((URL, header), (URL + "&b=2", header), (URL, header.replace("oauth_nonce", "x")), (URL, "x")):
        for more in ([], ["--json"]):
            estate.done("explain --against", "explain", "GET", url, *known, "--against", against, *more)
    broken = estate.in_file(estate.plant("no private key", TAIL))["file"]
    for more in (
        ["--signature-method", "RSA-SHA1", "--private-key-file", broken],
        ["--signature-method", "RSA-SHA1"],
        ["--consumer-secret-file", broken],
        ["--consumer-secret-env", "LEAKS_NONE"],
    ):
        estate.done("explain wrongly", "explain", "GET", URL, *known, *more)
    verified = ["verify", "GET", URL, "--authorization", "-", *credentials(estate)]
    for value in (
        header,
        header.replace("oauth_nonce", "oauth_none"),
        header.replace("HMAC-SHA1", "PLAINTEXT"),
        "x",
        "",
    ):
        for more in ([], ["--json"]):
            estate.done("verify", *verified, *more, stdin=value)
    assert estate.done("verify", *verified, stdin=header)[0] == 0


def test_as_an_account_of_the_configuration(estate, tmp_path):
    """Nor those of the file, nor a password or a cookie of the command that is read."""
    file = estate.write_configuration(tmp_path, estate.configuration())
    password = estate.plant("password of a curl command", TAIL)
    url = f"https://{estate.configuration()['apis']['signed']['hosts'][0]}/x?a=1"
    for more in ([], ["--json"], ["--signature-method", "HMAC-SHA256"]):
        for account in ("signed/default", "signed/nobody", "nothing/default", "signed"):
            known = ["--config", str(file), "--account", account, *more]
            command = f"curl -u me:{password} -b session={password} 'https://me:{password}@api.test/x' -d a=b"
            estate.done("explain as an account", "explain", "GET", url, *known)
            estate.done("explain a curl command", "explain", "--request", "-", *known, stdin=command)
            known = known[:4] + [word for word in more if word == "--json"]
            estate.done("verify a curl command", "verify", "--request", "-", *known, stdin=command)
    estate.done("a wrong curl command", "explain", "--request", "-", *known, stdin=command + f" -u {password} a b")


def test_explaining_many(estate):
    """What a line has of secrets stays in it, however wrong the line is."""
    whole = {
        "method": "GET",
        "url": URL,
        "consumer_key": estate.signed.key,
        "consumer_secret": estate.signed.secret,
        "token": "t",
        "token_secret": estate.tokens["default"].secret,
    }
    own = estate.plant("a secret in a line", TAIL)
    lines = [
        whole,
        {**whole, "signature_method": "RSA-SHA1", "private_key": own},
        {**whole, "consumer_secret": [own]},
        {**whole, "consumer_secret": {"a": own}},
        {**whole, "private_key": own},
        {**whole, "url": "no URL"},
        {**whole, "body_base64": "%%%"},
        {**whole, "nonce": ""},
        {**whole, "unknown": own},
        {**whole, "extra": [own]},
        [own],
        own,
    ]
    text = "\n".join(json.dumps(line) for line in lines)
    text += f'\n{json.dumps(whole)[:-30]}\n{{"consumer_secret": {own}}}\n{own}\n'
    code, said = estate.done("explain --batch", "explain", "--batch", stdin=text)
    assert len(said.splitlines()) == len(lines) + 3, said


def test_explaining_plaintext(estate):
    """Its signature is the two secrets, and is shown, for it is what is asked for: nowhere but in the signature, the
    Authorization field and the line to send it, and the key is masked as ever."""
    secret, token_secret = estate.plain.secret, estate.tokens["plain"].secret
    names = [estate.in_variable(value)["env"] for value in (secret, token_secret)]
    signature = encode(secret) + "&" + encode(token_secret)
    shown = [json.dumps(signature)[1:-1], encode(signature), encode(encode(secret)), signature]
    known = ["--consumer-key", estate.plain.key, "--consumer-secret-env", names[0], "--token-secret-env", names[1]]
    for more, count in (([], 3), (["--json"], 2)):
        arguments = ["explain", "GET", URL, *known, "--token", "t", "--signature-method", "PLAINTEXT", *more]
        said = estate.unseen(*arguments)
        assert sum(said.count(text) for text in shown[:2]) == count, said
        for text in shown:
            said = said.replace(text, "")
        estate.evidence.add("explain of PLAINTEXT, without its signature", said)
    wrong = ["verify", "GET", URL, "--authorization", "-", "--consumer-secret-env", names[0]]
    header = f'OAuth oauth_consumer_key="k", oauth_signature_method="PLAINTEXT", oauth_signature="{encode(signature)}"'
    for more in ([], ["--json"]):
        estate.done("verify PLAINTEXT", *wrong, *more, stdin=header)
