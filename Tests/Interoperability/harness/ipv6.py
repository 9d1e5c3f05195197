"""Whether this machine has IPv6 on loopback; containers often have not."""

import socket

import pytest


def _is_there():
    if not socket.has_ipv6:
        return False
    with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
        try:
            probe.bind(("::1", 0))
        except OSError:
            return False
    return True


HAS_IPV6 = _is_there()


def need_ipv6():
    if not HAS_IPV6:
        pytest.skip("this machine has no IPv6 on loopback")
