"""The local CA seen by its clients: its leaves, what a stolen key is good for, a renewal, an own CA."""

import datetime
import ipaddress
import os
import re
import signal

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID

from harness.certificates import DAY, NOW, name, pem
from harness.handshakes import EVERY_LIBRARY, Handed, OpenSSL, Trust, impostor, is_address, run, tunnel
from harness.raw import RawClient
from harness.waiting import wait_until

KINDS = ["a name", "a wildcard's name", "an IPv4 address", "an IPv6 address"]


@pytest.fixture(scope="session", params=EVERY_LIBRARY, ids=lambda one: one.name)
def library(request):
    if not request.param.version():
        pytest.skip(f"there is no {request.param.name} on this machine")
    yield request.param
    if hasattr(request.param, "end"):
        request.param.end()


@pytest.fixture(scope="module")
def trust(paraph, tmp_path_factory):
    folder = tmp_path_factory.mktemp("trust")
    return Trust(folder, Handed(paraph, folder))


def authority(world, kind):
    if kind == "an IPv6 address":
        return world.main6.address
    return {
        "a name": f"{world.HOST}:443",
        "a wildcard's name": "some.wild.test.example:443",
        "an IPv4 address": world.main.address,
    }[kind]


def host_of(authority):
    return authority.rpartition(":")[0].strip("[]")


def alternative(host):
    return x509.IPAddress(ipaddress.ip_address(host)) if is_address(host) else x509.DNSName(host)


# Leaves


@pytest.mark.parametrize("kind", KINDS)
def test_every_library_accepts_a_leaf_for_its_host_alone(paraph, world, trust, library, kind):
    target = authority(world, kind)
    with tunnel(paraph.proxy, target) as listener:
        accepted, said = library.shake(listener.port, host_of(target), trust)
        assert accepted, said
        for other in ("other.test.example", "192.0.2.1"):
            accepted, said = library.shake(listener.port, other, trust)
            assert not accepted, f"a leaf for {target} passes for {other}: {said}"


@pytest.mark.parametrize("kind", KINDS)
def test_openssl_accepts_it_through_the_proxy_itself(paraph, world, trust, kind):
    target = authority(world, kind)
    host = host_of(target)
    kind = ["-verify_ip", host, "-noservername"] if is_address(host) else ["-verify_hostname", host]
    _, said = run(
        ["openssl", "s_client", "-proxy", paraph.proxy, "-connect", target, "-CAfile", trust.pem, "-no-CApath"]
        + ["-no-CAstore", "-verify_return_error", *kind]
    )
    assert "Verify return code: 0 (ok)" in said, said


@pytest.mark.parametrize("kind", KINDS)
def test_a_leaf_is_for_one_host_and_for_a_week(paraph, world, kind):
    target = authority(world, kind)
    with RawClient(paraph.proxy, target, ca=paraph.ca) as client:
        leaf = x509.load_der_x509_certificate(client.certificate)
    with RawClient(paraph.proxy, target, ca=paraph.ca) as client:
        assert x509.load_der_x509_certificate(client.certificate) == leaf, "a leaf is not kept"
    ca = x509.load_pem_x509_certificate(paraph.ca.read_bytes())
    names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert list(names) == [alternative(host_of(target))]
    assert leaf.not_valid_after_utc - leaf.not_valid_before_utc <= 7 * DAY
    now = datetime.datetime.now(datetime.timezone.utc)
    assert leaf.not_valid_before_utc < now - datetime.timedelta(minutes=10), "not back-dated"
    assert leaf.public_key() != ca.public_key()
    assert isinstance(leaf.public_key().curve, ec.SECP256R1)
    leaf.verify_directly_issued_by(ca)


def test_the_ca_is_as_narrow_as_it_can_be(paraph, world):
    ca = x509.load_pem_x509_certificate(paraph.ca.read_bytes())
    assert isinstance(ca.public_key().curve, ec.SECP256R1)
    assert ca.not_valid_after_utc - ca.not_valid_before_utc <= 3652 * DAY
    found = {e.oid: e for e in ca.extensions}
    basic = found[x509.BasicConstraints.oid]
    assert basic.critical and basic.value.ca and basic.value.path_length == 0
    purposes = found[x509.ExtendedKeyUsage.oid].value
    assert list(purposes) == [ExtendedKeyUsageOID.SERVER_AUTH]
    names = found[x509.NameConstraints.oid]
    # Go would refuse all that is below a critical constraint on subjects.
    assert not names.critical
    assert x509.DirectoryName(x509.Name([])) in names.value.excluded_subtrees
    permitted = {str(n.value) for n in names.value.permitted_subtrees}
    assert permitted == {world.HOST, "wild.test.example", "localhost", "127.0.0.1/32", "::1/128"}


# A stolen key


class Thief:
    """Has the CA's certificate and key, and signs what it likes."""

    def __init__(self, folder, paraph):
        self.folder = folder
        self.ca = x509.load_pem_x509_certificate(paraph.ca.read_bytes())
        self.key = serialization.load_pem_private_key((paraph.folder / "state" / "ca.key").read_bytes(), None)
        # Roots for Java, and after each the CA's certificates that it signed.
        anchors = x509.load_pem_x509_certificates(paraph.ca.with_name("ca.pem.anchors").read_bytes())
        self.cross = [c for c in anchors if c.issuer != c.subject]

    def sign(self, hosts, issuer=None, key=None, is_authority=False, common_name=None):
        own = ec.generate_private_key(ec.SECP256R1())
        issuer, signer = issuer or self.ca, key or self.key
        # The CA confines subjects: what has one is refused for that already.
        subject = name(common_name) if common_name else x509.Name([])
        builder = (
            x509.CertificateBuilder()
            .subject_name(name("A CA below") if is_authority else subject)
            .issuer_name(issuer.subject)
            .public_key(own.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(NOW - DAY / 48)
            .not_valid_after(NOW + DAY)
            .add_extension(x509.BasicConstraints(is_authority, None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(own.public_key()), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
        )
        if hosts:
            alternatives = x509.SubjectAlternativeName([alternative(host) for host in hosts])
            builder = builder.add_extension(alternatives, critical=not subject.rdns)
        if not is_authority:
            purposes = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
            builder = builder.add_extension(purposes, critical=False)
        return builder.sign(signer, hashes.SHA256()), own

    def chain(self, hosts, with_authority_below=False, common_name=None):
        """A file for a server: leaf, what is between it and the CA, key."""
        others, issuer, key = [], None, None
        if with_authority_below:
            issuer, key = self.sign([], is_authority=True)
            others = [issuer]
        leaf, own = self.sign(hosts, issuer, key, common_name=common_name)
        text = own.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        file = self.folder / "stolen.pem"
        file.write_bytes(b"".join(pem(c) for c in [leaf, *others, *self.cross]) + text)
        return file


THEFTS = {
    "another host": (["evil.example"], "evil.example", False),
    "a host with the same ending": (["notapi.test.example"], "notapi.test.example", False),
    "a wildcard above": (["*.test.example"], "other.test.example", False),
    "another IPv4 address": (["192.0.2.1"], "192.0.2.1", False),
    "another IPv6 address": (["2001:db8::1"], "2001:db8::1", False),
    "another host beside a good one": (["api.test.example", "evil.example"], "evil.example", False),
    "a CA below": (["api.test.example"], "api.test.example", True),
}
# Common names that are no DNS names by the look of them, of leaves without an alternative name.
COMMON_NAMES = {"*.evil.example": "www.evil.example", "intranet": "intranet", "www.evil.example": "www.evil.example"}


@pytest.mark.parametrize("theft", THEFTS)
def test_a_stolen_key_is_good_for_no_other_host(paraph, trust, tmp_path, library, theft):
    hosts, wanted, below = THEFTS[theft]
    with impostor(Thief(tmp_path, paraph).chain(hosts, below)) as listener:
        accepted, said = library.shake(listener.port, wanted, trust)
    assert not accepted, said


@pytest.mark.parametrize("common_name", COMMON_NAMES)
def test_a_stolen_key_is_good_for_no_common_name(paraph, trust, tmp_path, library, common_name):
    with impostor(Thief(tmp_path, paraph).chain([], common_name=common_name)) as listener:
        accepted, said = library.shake(listener.port, COMMON_NAMES[common_name], trust)
    assert not accepted, said


@pytest.mark.parametrize("host", ["api.test.example", "127.0.0.1", "::1"])
def test_the_thief_is_believed_for_the_hosts_of_the_ca(paraph, trust, tmp_path, library, host):
    """What shows that the refusals above are of the constraints."""
    with impostor(Thief(tmp_path, paraph).chain([host])) as listener:
        accepted, said = library.shake(listener.port, host, trust)
    assert accepted, said


# Many hosts

MANY = [f"h{number}.many.example" for number in range(1000)]


@pytest.fixture(scope="module")
def many(launch_for_session, world, tmp_path_factory):
    """A proxy with so many hosts that those of its CA's certificates that Java needs share them out."""
    one = launch_for_session(world.configuration({"main": world.api(MANY)}))
    folder = tmp_path_factory.mktemp("many")
    return one, Trust(folder, Handed(one, folder))


@pytest.mark.parametrize("host", [MANY[0], MANY[500], MANY[-1]])
def test_each_of_many_hosts_is_believed(many, library, host):
    one, trust = many
    with tunnel(one.proxy, f"{host}:443") as listener:
        accepted, said = library.shake(listener.port, host, trust)
    assert accepted, said


def test_a_stolen_key_of_many_hosts_is_good_for_no_other(many, tmp_path, library):
    one, trust = many
    thief = Thief(tmp_path, one)
    shares = thief.cross
    assert len(shares) > 30
    for share in shares[0], shares[-1]:
        thief.cross = [share]
        for host in ("h1000.many.example", "many.example", "192.0.2.1"):
            with impostor(thief.chain([host])) as listener:
                accepted, said = library.shake(listener.port, host, trust)
            assert not accepted, said
        # What shows that the refusals are of the constraints.
        permitted = share.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees
        host = permitted[0].value
        with impostor(thief.chain([host])) as listener:
            accepted, said = library.shake(listener.port, host, trust)
        assert accepted, said


@pytest.mark.parametrize("host", [MANY[0], MANY[-1]])
def test_a_handshake_is_no_larger_for_the_other_hosts(many, host):
    one, trust = many
    assert one.ca.stat().st_size > 20000
    with tunnel(one.proxy, f"{host}:443") as listener:
        _, said = run(
            ["openssl", "s_client", "-connect", f"127.0.0.1:{listener.port}", "-servername", host, "-showcerts"]
            + ["-CAfile", trust.pem, "-no-CApath", "-no-CAstore", "-verify_return_error"]
        )
    assert "Verify return code: 0 (ok)" in said, said
    assert int(re.search(r"SSL handshake has read (\d+) bytes", said).group(1)) < 4000


# Renewal


@pytest.fixture(scope="module")
def renewed(launch_for_session, world, tmp_path_factory):
    """A proxy whose CA was renewed for one more host while it ran; the certificate from before; what was said."""
    one = launch_for_session(world.configuration({"main": world.api([world.HOST, f"localhost:{world.main.port}"])}))
    folder = tmp_path_factory.mktemp("renewed")
    old = Handed(one, folder / "old")
    one.configuration["apis"]["main"]["hosts"].append("added.wild.test.example")
    one.rewrite()
    said = {"check": one.command("check")}
    reload(one)
    said["start"] = one.told("does not reach")
    said["show"] = one.command("ca", "show")
    said["renew"] = one.command("ca", "renew")
    reload(one)
    said["check after"] = one.command("check")
    return one, old, Handed(one, folder / "new"), said


def reload(one):
    count = one.log().count("the configuration was reloaded")
    one.signal(signal.SIGHUP)
    wait_until(lambda: one.log().count("the configuration was reloaded") > count, "the reload")
    one.may_end = False


def test_a_host_that_was_added_asks_for_a_renewal(renewed):
    one, old, new, said = renewed
    code, text = said["check"]
    assert code == 0 and re.search(r"warning: .*does not reach added\.wild\.test\.example: .*paraph ca renew", text)
    assert len(said["start"]) == 1 and "added.wild.test.example" in said["start"][0]
    assert "added.wild.test.example: NOT covered" in said["show"][1]
    assert "does not reach" not in said["check after"][1] and said["check after"][0] == 0
    code, text = said["renew"]
    assert code == 0
    kept = re.search(r"old certificate: (.*)", text).group(1)
    assert (one.folder / kept).read_text() == old.pem.read_text()
    assert one.ca.read_text() == new.pem.read_text() != old.pem.read_text()


@pytest.mark.parametrize("trusted", ["old", "new", "old new", "new old"])
def test_clients_go_on_through_a_renewal(renewed, world, tmp_path, library, trusted):
    one, old, new, _ = renewed
    trust = Trust(tmp_path / "trust", *({"old": old, "new": new}[word] for word in trusted.split()))
    with tunnel(one.proxy, f"{world.HOST}:443") as listener:
        accepted, said = library.shake(listener.port, world.HOST, trust)
        assert accepted, said
    with tunnel(one.proxy, "added.wild.test.example:443") as listener:
        accepted, said = library.shake(listener.port, "added.wild.test.example", trust)
    if trusted == "new":
        assert accepted, said
    elif trusted == "old":
        assert not accepted, said
    # With both it depends on the library which one it looks at: clients are given the new one in place of the old.


def test_a_new_key_is_taken_at_a_reload(launch, world, tmp_path):
    one = launch(world.configuration())
    before = Trust(tmp_path / "before", one.ca)
    code, said = one.command("ca", "renew", "--new-key")
    assert code == 0 and "beside the old one" in said
    after = Trust(tmp_path / "after", one.ca)
    with tunnel(one.proxy, f"{world.HOST}:443") as listener:
        assert OpenSSL.shake(listener.port, world.HOST, before)[0], "the proxy took it before it was told to"
    reload(one)
    with tunnel(one.proxy, f"{world.HOST}:443") as listener:
        assert not OpenSSL.shake(listener.port, world.HOST, before)[0]
        accepted, said = OpenSSL.shake(listener.port, world.HOST, after)
        assert accepted, said
        both = Trust(tmp_path / "both", before.pem, after.pem)
        assert OpenSSL.shake(listener.port, world.HOST, both)[0]
    assert (one.folder / "state" / "ca.key").stat().st_mode & 0o777 == 0o600


# An operator's own CA


def test_an_own_ca_is_used_as_given_and_looked_at(launch, world, certificates, tmp_path, library):
    root = tmp_path / "own.pem"
    root.write_bytes(pem(certificates.stranger.certificate))
    key = tmp_path / "own.key"
    key.write_bytes(
        certificates.stranger.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    key.chmod(0o600)
    one = launch(world.configuration(authority={"certificate": str(root), "private_key": str(key)}))
    assert root.read_bytes() == pem(certificates.stranger.certificate)
    for words in ("no name constraints", "any number of CAs below it"):
        assert one.told(words) and words in one.command("check")[1]
    with tunnel(one.proxy, f"{world.HOST}:443") as listener:
        accepted, said = library.shake(listener.port, world.HOST, Trust(tmp_path / "trust", root))
    assert accepted, said
    code, said = one.command("ca", "renew")
    assert code == 65 and "not made by Paraph" in said


def test_an_own_ca_below_another_has_that_one_in_its_file(launch, world, certificates, tmp_path, library):
    middle, root = certificates.intermediate, certificates.root
    file, key = tmp_path / "own.pem", tmp_path / "own.key"
    file.write_bytes(pem(middle.certificate) + pem(root.certificate))
    key.write_bytes(
        middle.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    key.chmod(0o600)
    one = launch(world.configuration(authority={"certificate": str(file), "private_key": str(key)}))
    status, given = one.admin("/ca.pem")
    assert status == 200 and given == file.read_bytes()
    trusted = tmp_path / "root.pem"
    trusted.write_bytes(pem(root.certificate))
    with tunnel(one.proxy, f"{world.HOST}:443") as listener:
        accepted, said = library.shake(listener.port, world.HOST, Trust(tmp_path / "trust", trusted))
    assert accepted, said


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666])
def test_a_key_that_others_may_read_keeps_it_from_starting(launch, world, mode):
    one = launch(world.configuration())
    assert one.stop() == 0
    (one.folder / "state" / "ca.key").chmod(mode)
    one.start(wait=False)
    assert one.wait() == 65
    assert "chmod 600" in one.log()
    code, said = one.command("check")
    assert code == 65 and "chmod 600" in said
    # What a service would take that is handed it by its group.
    handed = mode == 0o640 and os.geteuid() == 0
    assert ("run this command as that user" in said) == handed, said
