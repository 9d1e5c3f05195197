"""The messages in docs/troubleshooting.md, each brought about."""

import re

import pytest

from harness.documented import TWITTER
from harness.readme import FENCE, ROOT, Block, block
from harness.waiting import wait_until

PAGE = ROOT / "docs" / "troubleshooting.md"
CA = block("sh", "At first start Paraph makes a local CA")
PROXY = "export HTTPS_PROXY=http://127.0.0.1:8080"
TRUSTED = f"{PROXY} CURL_CA_BUNDLE=$PWD/paraph-ca.pem"
URL = "https://api.twitter.com/1.1/account/verify_credentials.json"
ASK = f"curl --include {URL}"
EXEC = f"paraph exec -- {ASK}"
CLIENTS = Block("yaml", "access:\n  clients:\n    - {name: billing, password: right}\n", "")
PINS = "pinning: {mode: public_key, pins: [sha256/%s=, sha256/%s=]}" % ("A" * 43, "E" * 43)
# Each a password of its own: the same one again is no guess.
GUESS = f"""
( for n in $(seq 30); do curl --include --proxy http://guess$n:wrong$n@127.0.0.1:8080 {URL} 2>&1 & done ) |
    grep --max-count=1 'failed too often'
"""
# A request whose body does not come is in flight.
HOLD = f"""
address=127.0.0.1:8080
exec 3<>/dev/tcp/${{address/://}}
printf 'PUT http://api.twitter.com/ HTTP/1.1\\r\\nHost: api.twitter.com\\r\\nContent-Length: 9\\r\\n\\r\\n' >&3
while {ASK} >said; do :; done
cat said
"""
# The client signs for http what it sends by https.
SIGN = f"""
field=$(paraph explain GET {URL.replace("https:", "http:")} --consumer-key {TWITTER.setting("consumer_key")} \\
    --consumer-secret-env TWITTER_CONSUMER_SECRET --token {TWITTER.setting("token")} \\
    --token-secret-env TWITTER_TOKEN_SECRET --nonce "$RANDOM" --timestamp "$(date +%s)" --json |
    sed 's/.*"authorization":"\\(.*\\)"}}/\\1/; s/\\\\"/"/g')
{EXEC} --header "Authorization: $field"
"""
LEGS = "".join(f"{leg}: '{URL}', " for leg in ("request_token_url", "authorize_url", "access_token_url"))


def messages():
    """Each message, by the heading that it stands below and its place there."""
    found = {}
    for section in re.split(r"(?m)^## ", PAGE.read_text())[1:]:
        heading = section.partition("\n")[0]
        for number, fence in enumerate(FENCE.finditer(section), 1):
            assert fence[1] == "text"
            found[f"{heading} {number}"] = fence[2].strip()
    return found


class Case:
    """A proxy that runs, or the configuration for `paraph exec`, and what can be wrong with either."""

    def __init__(self, site, folder):
        self.site, self.folder = site, folder
        self.secrets = site.twitter()

    def running(self, *commands, more=()):
        shell = self.site.run(TWITTER, *more, **self.secrets)
        return shell.run(CA, *commands, **self.secrets)[1]

    def changed(self, command, *change, environment=None):
        """What a command says where the configuration is changed so, by regular expressions."""
        shell = self.site.beside(self.folder, TWITTER)
        file = self.folder / "paraph.yaml"
        text = file.read_text()
        for old, new in change:
            text, count = re.subn(old, new, text)
            assert count, old
        file.write_text(text)
        return shell.run(command, **(self.secrets if environment is None else environment))[1]

    def clock(self):
        self.site.provider.clock_ahead = 3600
        return self.changed(EXEC)

    def plain_http_to_tls(self):
        certificate, key = map(str, self.site.certificates.client("proxy"))
        listener = {"address": "127.0.0.1:0", "certificate": certificate, "private_key": key}
        shell = self.site.run(TWITTER, listener=listener, **self.secrets)
        assert shell.run(f"{PROXY}; {ASK}")[0] != 0
        wait_until(lambda: "plain HTTP" in self.site.paraph.log(), "the log")
        return self.site.paraph.log()

    def in_use(self):
        shell = self.site.run(TWITTER, names_port=True, **self.secrets)
        return shell.run("paraph run || true", **self.secrets)[1]

    def after_first_start(self, command, *change):
        """The same, in the folder of a proxy that has made its CA."""
        shell = self.site.run(TWITTER, **self.secrets)
        file = shell.folder / "paraph.yaml"
        for old, new in change:
            file.write_text(file.read_text().replace(old, new))
        return shell.run(command, **self.secrets)[1]


CASES = {
    "The client does not trust the certificate 1": lambda case: case.running(PROXY, ASK),
    "The client trusts some hosts, and not the one that was added 1": lambda case: case.after_first_start(
        "paraph check", ("api.x.com]", "api.x.com, upload.x.com]")
    ),
    "401 from the provider: the signature 1": lambda case: case.changed(
        EXEC, environment={**case.secrets, "TWITTER_CONSUMER_SECRET": "another"}
    ),
    "401 from the provider: the client signs by itself 1": lambda case: case.changed(
        SIGN, (r"( {4}hosts: .*\n)", r"\1    signing: {on_existing_authorization: keep}\n")
    ),
    "401 from the provider: the time 1": lambda case: case.clock(),
    "403: a person has to allow it 1": lambda case: case.changed(
        EXEC, (r"( {8}token.*\n){2}", f"        three_legged: {{{LEGS}}}\n")
    ),
    "403: no such account 1": lambda case: case.running(TRUSTED, f"{ASK} --header 'Paraph-Account: carol'"),
    "403: the host is not configured 1": lambda case: case.changed(
        "paraph exec -- curl --include https://example.com/", (r"\Z", "access: {other_hosts: refuse}\n")
    ),
    "407: the proxy wants a name and a password 1": lambda case: case.running(TRUSTED, ASK, more=[CLIENTS]),
    "413: the form is too large to be signed 1": lambda case: case.running(
        TRUSTED, "head -c 2000000 /dev/zero | tr '\\0' a >large", f"{ASK} --data @large"
    ),
    "421: another host in the same connection 1": lambda case: case.running(TRUSTED, f"{ASK} --header 'Host: other.example'"),
    "429: the log-ins of an address 1": lambda case: case.running(TRUSTED, GUESS, more=[CLIENTS]),
    "503: a limit of the proxy 1": lambda case: case.running(
        TRUSTED, HOLD, more=[Block("yaml", "limits: {requests_per_client: 1}\n", "")]
    ),
    "502: the server's certificate 1": lambda case: case.changed(EXEC, (r"trust: \[.*\]", "trust: system")),
    "502: the pins 1": lambda case: case.changed(EXEC, (r"(trust: \[.*\])", rf"\1, {PINS}")),
    "502: the connection 1": lambda case: case.changed(EXEC, (r"connect_to: \S+", f"connect_to: {case.closed}")),
    "502: the connection 2": lambda case: case.running(TRUSTED, "curl --include https://nobody.invalid/"),
    "The proxy gives no answer at all 1": lambda case: case.plain_http_to_tls(),
    "The configuration has mistakes 1": lambda case: case.changed("paraph check", ("consumer_key", "consumer_kee")),
    "The configuration has mistakes 2": lambda case: case.changed("paraph check", environment={}),
    "A reload was refused 1": lambda case: case.after_first_start(
        "curl --request POST http://127.0.0.1:8081/reload || true", ("consumer_key", "consumer_kee")
    ),
    "It does not start 1": lambda case: case.in_use(),
    "It does not start 2": lambda case: case.after_first_start("chmod 644 state/ca.key; paraph run || true"),
}


def test_every_message_is_brought_about():
    assert list(messages()) == list(CASES)


@pytest.mark.parametrize("title", CASES)
def test_the_program_says_it(site, tmp_path, closed_port, title):
    case = Case(site, tmp_path)
    case.closed = f"127.0.0.1:{closed_port}"
    said = CASES[title](case)
    # JSON and structured fields put a backslash before quotes.
    said = said.replace('\\"', '"').replace("\\'", "'")
    pattern = ".*".join(re.escape(part.strip()) for part in messages()[title].split("…"))
    assert re.search(pattern, said), said
