"""What docs/security-model.md says of old files of the vault, tried."""

import json
import shutil

import pytest

from harness.documented import TWITTER
from harness.readme import answers, block

ENROLMENT = block("yaml", "A back end hands over")
REGISTER = block("sh", "For access type 2").text.splitlines()[0]
ASK = """curl --output ca.pem http://127.0.0.1:8081/ca.pem
export HTTPS_PROXY=http://127.0.0.1:8080 CURL_CA_BUNDLE=ca.pem
curl https://api.twitter.com/1.1/statuses/home_timeline.json --header 'Paraph-Account: 2311'"""


class Enrolled:
    """A proxy that the user 2311 is enrolled at, and the folder of its vault."""

    def __init__(self, site):
        self.secrets = site.twitter()
        site.provider.route_at("/1.1/account/verify_credentials.json", site.verify_credentials)
        self.shell = site.run(TWITTER, ENROLMENT, **self.secrets)
        token = site.application.issue("2311")
        self.run(REGISTER, TOKEN=token.value, TOKEN_SECRET=token.secret)
        self.vault = self.shell.folder / "state" / "vault"
        self.copy = self.shell.folder / "copy"
        shutil.copytree(self.vault, self.copy)

    def run(self, command, code=0, **more):
        ended, said = self.shell.run(command, **self.secrets, **more)
        assert ended == code, said
        return said

    def put_back(self, name=None):
        (old,) = [path for path in self.copy.rglob("*") if path.is_file() and path.read_bytes().startswith(b"PARAPH\0")]
        there = self.vault / old.relative_to(self.copy)
        there.parent.mkdir(exist_ok=True)
        shutil.copy2(old, there.with_name(name or there.name))

    def user(self):
        return json.loads(answers(self.run(ASK))[-1][1])["user"]


@pytest.fixture
def enrolled(site):
    return Enrolled(site)


def test_an_earlier_copy_is_used(enrolled):
    assert enrolled.user() == "2311"
    enrolled.run("paraph accounts remove twitter 2311")
    enrolled.run(ASK, code=22)
    enrolled.put_back()
    assert enrolled.run("paraph accounts list").split() == ["twitter", "2311"]
    assert enrolled.user() == "2311"


def test_after_another_key_it_is_not(enrolled):
    enrolled.run("paraph accounts rekey")
    assert enrolled.user() == "2311"
    enrolled.run("paraph accounts remove twitter 2311")
    enrolled.put_back()
    said = enrolled.run("paraph accounts list --long", code=65)
    assert "key" in said, said
    enrolled.run(ASK, code=22)
