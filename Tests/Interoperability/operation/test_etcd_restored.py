"""A snapshot of etcd that is restored while proxies serve: what it has may have been used since."""

import base64
import os

import pytest

from harness.applications import remember
from harness.password_grant import PasswordGrant
from harness.programs import need
from harness.raw import ask
from harness.waiting import wait_until

NOTICE = "the vault was restored from a backup"


@pytest.fixture(autouse=True)
def administrators_client():
    need("etcdctl", ["etcdctl"])


def test_no_refresh_token_of_a_snapshot_is_sent(launch, world, etcd, tmp_path):
    server = PasswordGrant(world.provider)
    account = {"password": {"username": "alice", "password": server.new_user("alice")}}
    api = {**world.api(accounts={"default": account}), "oauth2": server.settings(world)}
    del api["oauth1"]
    key = remember(base64.b64encode(os.urandom(32)).decode())
    configuration = world.configuration({"members": api}, vault={"etcd": {"endpoints": [etcd.url]}, "key": key})
    proxies = [launch(configuration) for _ in range(2)]

    def renew(paraph):
        """A token that is refused soon after the one before it is renewed only after a pause."""
        server.revoke_access_tokens()
        wait_until(lambda: ask(paraph, f"{world.URL}{server.resource}").status == 200, "a new access token")

    renew(proxies[0])
    snapshot = tmp_path / "snapshot"
    etcd.control("snapshot", "save", str(snapshot))
    for _ in range(3):
        renew(proxies[0])
    assert server.kinds == ["password", "refresh", "refresh", "refresh"]
    etcd.restore(snapshot)
    for paraph in proxies:
        (line,) = paraph.told(NOTICE)
        assert "paraph login" in line and "POST /register" in line, line
    # One that starts afterwards knows it, too.
    renew(launch(configuration))
    assert server.kinds[4:] == ["password"]
    # What was stored since is as good as ever.
    renew(proxies[1])
    assert server.kinds[4:] == ["password", "refresh"]
    used = [one["refresh_token"] for one in server.token_requests if "refresh_token" in one]
    assert len(set(used)) == len(used)
    for paraph in proxies:
        assert len([line for line in paraph.lines if NOTICE in line]) == 1
