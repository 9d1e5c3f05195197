"""Another proxy that is the only way to the API, and that looks for what it should not be able to read."""

from .applications import KNOWN_SECRETS, KNOWN_TOKENS, secret
from .connect_proxy import ConnectProxy

# RFC 7617: the password may hold colons; both are UTF-8.
USER = "señor x"


def read_in(data):
    """What of it can be read that only the API may read."""
    words = [one for one in (b"uthorization", b"oauth") if one in data]
    return words + KNOWN_SECRETS.found_in(data) + KNOWN_TOKENS.found_in(data)


class WatchedProxy(ConnectProxy):
    """Alone knows where the API's host is: that does not resolve."""

    def __init__(self, world):
        super().__init__(USER, secret("pä:ss w+/="))
        self.listener = world.provider.listen(world.certificates.good)
        self.hosts[f"{world.HOST}:443"] = self.listener.address

    def judge(self):
        """Looks at what it saw, once a test is over."""
        assert not self.violations, self.violations
        for tunnel in self.tunnels:
            for data in (bytes(tunnel.sent), bytes(tunnel.received)):
                assert not read_in(data), f"to be read in the tunnel to {tunnel.authority}"
                assert data[:2] in (b"", b"\x16\x03"), "something was said before TLS"


def only_through(other):
    """Each connection that the provider had was a tunnel."""
    return other.listener.connections == len(other.opened) > 0


def wrong(other):
    """Its settings with another password."""
    return {**other.settings(), "password": secret("wrong pw")}


def refused_by(other, told, *words):
    """It is named as who refused, in a whole sentence with `words`, and nothing came to the provider."""
    for word in (other.address, *words):
        assert word in told, told
    assert ".." not in told
    assert other.listener.byte_count == 0


def says(data, then_close=True):
    """What is said in place of opening a tunnel, for `behave`."""

    def behave(tunnel, connection):
        connection.sendall(data)
        if not then_close:
            connection.recv(1)

    return behave
