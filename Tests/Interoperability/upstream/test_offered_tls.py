"""What the proxy offers its clients inside of a tunnel, looked at as a scanner does: by ClientHello messages made by
hand, by OpenSSL and by GnuTLS."""

import re
import shutil
import ssl

import pytest

from harness import hello
from harness.handshakes import Listener, Trust, run, tunnel
from harness.login import Dialogue
from harness.paraph import Paraph
from harness.raw import connect
from harness.waiting import wait_until

# TLS_ECDHE_ECDSA_WITH_ AES_128_GCM_SHA256, AES_256_GCM_SHA384, CHACHA20_POLY1305_SHA256.
MODERN = {0xC02B, 0xC02C, 0xCCA9}
PROTOCOL_VERSION, HANDSHAKE_FAILURE, INAPPROPRIATE_FALLBACK = 70, 40, 86
OLD = {"SSL 3.0": hello.SSL3, "TLS 1.0": hello.TLS10, "TLS 1.1": hello.TLS11}


@pytest.fixture(scope="module")
def offered(paraph, world):
    """A port that is the inside of a tunnel to an API's host."""
    with tunnel(paraph.proxy, f"{world.HOST}:443") as listener:
        yield listener


@pytest.fixture(scope="module")
def lax(certificates):
    """A server that takes what the proxy must not: what shows that the questions are asked rightly."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version = ssl.TLSVersion.TLSv1
    context.load_cert_chain(certificates.good.file)

    def serve(connection):
        with context.wrap_socket(connection, server_side=True) as secure:
            secure.recv(1)

    with Listener(serve) as listener:
        yield listener


@pytest.fixture(scope="module")
def trust(paraph, tmp_path_factory):
    return Trust(tmp_path_factory.mktemp("trust"), paraph.ca)


def ask(listener, world, version, suites, **options):
    with connect(f"127.0.0.1:{listener.port}") as connection:
        return hello.ask(connection, hello.client_hello(version, suites, world.HOST, **options))


def accepted_suites(listener, world):
    """Offers all, then all but those that were chosen, until nothing is chosen."""
    left, found = list(hello.EVERY_SUITE), []
    while (answer := ask(listener, world, hello.TLS12, left)).suite is not None:
        assert answer.version <= hello.TLS12 and answer.suite in left
        found.append(answer.suite)
        left.remove(answer.suite)
    return found, answer


@pytest.mark.parametrize("version", OLD)
def test_old_versions_are_refused(offered, world, version):
    answer = ask(offered, world, OLD[version], hello.EVERY_SUITE)
    assert answer.suite is None and answer.alert in (PROTOCOL_VERSION, HANDSHAKE_FAILURE, None), answer


@pytest.mark.parametrize("version", ["TLS 1.0", "TLS 1.1"])
def test_old_versions_would_be_found(lax, world, version):
    assert ask(lax, world, OLD[version], hello.EVERY_SUITE).version == OLD[version]


def test_of_tls_1_2_only_forward_secrecy_with_authenticated_encryption(offered, lax, world):
    found, answer = accepted_suites(offered, world)
    assert set(found) == MODERN
    assert answer.alert == HANDSHAKE_FAILURE
    others, _ = accepted_suites(lax, world)
    assert set(others) > MODERN, "the questions would not have found other suites"


def test_nothing_is_compressed_and_there_is_no_heartbeat(offered, world):
    more = (
        hello.extension(hello.HEARTBEAT, b"\x01")
        + hello.extension(hello.ENCRYPT_THEN_MAC)
        + hello.extension(hello.EXTENDED_MASTER_SECRET)
        + hello.extension(hello.RENEGOTIATION_INFO, b"\0")
    )
    answer = ask(offered, world, hello.TLS12, sorted(MODERN), compressions=b"\x01\x40\0", more=more)
    assert answer.compression == 0
    assert hello.HEARTBEAT not in answer.extensions
    # What a modern server does say: against the triple handshake attack, and the one on renegotiation.
    assert {hello.EXTENDED_MASTER_SECRET, hello.RENEGOTIATION_INFO} <= set(answer.extensions)


def test_a_fallback_is_noticed(offered, world):
    answer = ask(offered, world, hello.TLS12, [*sorted(MODERN), hello.FALLBACK])
    assert answer.alert == INAPPROPRIATE_FALLBACK, answer


def words(listener, trust):
    arguments = ["openssl", "s_client", "-connect", f"127.0.0.1:{listener.port}", "-servername", "api.test.example"]
    return [*arguments, "-CAfile", trust.pem, "-verify_return_error"]


def s_client(listener, trust, *options, stdin=b""):
    return run([*words(listener, trust), *options], stdin)[1]


@pytest.mark.parametrize(
    "option, version", [("-tls1_2", "TLSv1.2"), ("-tls1_3", "TLSv1.3"), ("-no_ssl3", "TLSv1.3")]
)
def test_openssl_finds_both_modern_versions(offered, trust, option, version):
    said = s_client(offered, trust, option)
    assert f"New, {version}, Cipher is" in said, said
    assert "Compression: NONE" in said
    assert "Server Temp Key: X25519" in said
    assert "Secure Renegotiation IS supported" in said or version == "TLSv1.3"


@pytest.mark.parametrize("option", ["-tls1", "-tls1_1"])
def test_openssl_finds_no_old_version(offered, lax, trust, option):
    said = s_client(offered, trust, option, "-cipher", "ALL:@SECLEVEL=0")
    assert "alert protocol version" in said and "Cipher is (NONE)" in said, said
    said = run(["openssl", "s_client", "-connect", f"127.0.0.1:{lax.port}", option, "-cipher", "ALL:@SECLEVEL=0"])[1]
    assert re.search(r"New, \S+, Cipher is [A-Z]", said), said


@pytest.mark.parametrize(
    "suite, isOffered",
    [
        ("TLS_AES_128_GCM_SHA256", True),
        ("TLS_AES_256_GCM_SHA384", True),
        ("TLS_CHACHA20_POLY1305_SHA256", True),
        ("TLS_AES_128_CCM_SHA256", False),
        ("TLS_AES_128_CCM_8_SHA256", False),
    ],
)
def test_the_suites_of_tls_1_3(offered, trust, suite, isOffered):
    said = s_client(offered, trust, "-tls1_3", "-ciphersuites", suite)
    assert (f"Cipher is {suite}" in said) == isOffered, said


def test_a_client_cannot_renegotiate(offered, trust, tmp_path):
    asked = Dialogue([*words(offered, trust), "-tls1_2"], Paraph.environment(), tmp_path)
    asked.type("R")

    def refusal():
        return re.search(r"(?s)RENEGOTIATING.*(no renegotiation|alert|error|closed)", asked.text)

    # Where its input ends it does not wait for the answer.
    wait_until(refusal, "renegotiation to be refused")
    asked.finish()


def test_nothing_can_be_sent_before_the_handshake_is_done(offered, trust):
    """A ticket that allowed early data would say how much."""
    said = s_client(offered, trust, "-tls1_3", "-ign_eof", stdin=b"GET / HTTP/1.1\r\nHost: api.test.example\r\n"
                    b"Connection: close\r\n\r\n")
    tickets = re.findall(r"Max Early Data: (\d+)", said)
    assert set(tickets) == {"0"}, said


@pytest.mark.parametrize(
    "wanted, agreed", [("h2,http/1.1", "h2"), ("http/1.1,h2", "h2"), ("http/1.1", "http/1.1"), ("h2", "h2")]
)
def test_http_2_is_agreed_on_where_the_client_speaks_it(offered, trust, wanted, agreed):
    assert f"ALPN protocol: {agreed}\n" in s_client(offered, trust, "-alpn", wanted)


@pytest.mark.skipif(not shutil.which("gnutls-cli"), reason="no gnutls-cli on this machine")
@pytest.mark.parametrize(
    "priority, isOffered",
    [
        ("NORMAL:-VERS-ALL:+VERS-TLS1.0", False),
        ("NORMAL:-VERS-ALL:+VERS-TLS1.1", False),
        ("NORMAL:-VERS-ALL:+VERS-TLS1.2", True),
        ("NORMAL:-VERS-ALL:+VERS-TLS1.3", True),
        ("NORMAL:-VERS-ALL:+VERS-TLS1.2:-CIPHER-ALL:+AES-128-CBC:+AES-256-CBC", False),
        ("NORMAL:-VERS-ALL:+VERS-TLS1.2:-KX-ALL:+RSA", False),
        ("NORMAL:-VERS-ALL:+VERS-TLS1.2:-KX-ALL:+DHE-RSA", False),
        ("NORMAL:-VERS-ALL:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA", True),
        ("NORMAL:-VERS-ALL:+VERS-TLS1.2:-CIPHER-ALL:+3DES-CBC", False),
    ],
)
def test_gnutls_finds_the_same(offered, trust, priority, isOffered):
    code, said = run(
        ["gnutls-cli", f"--x509cafile={trust.pem}", "--verify-hostname=api.test.example"]
        + ["--sni-hostname=api.test.example", f"--priority={priority}", f"--port={offered.port}", "127.0.0.1"]
    )
    assert (code == 0 and "Handshake was completed" in said) == isOffered, said
