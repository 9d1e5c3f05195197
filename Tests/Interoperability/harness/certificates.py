"""The suite's own certificate authorities and server certificates, made afresh for every run."""

import base64
import datetime
import hashlib
import ipaddress
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

NOW = datetime.datetime.now(datetime.timezone.utc)
DAY = datetime.timedelta(days=1)


def name(common_name):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def pem(certificate):
    return certificate.public_bytes(serialization.Encoding.PEM)


def public_key_pin(certificate):
    """SHA-256 of the DER SubjectPublicKeyInfo, in the form that the configuration takes."""
    spki = certificate.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return "sha256/" + base64.b64encode(hashlib.sha256(spki).digest()).decode()


def certificate_pin(certificate):
    """SHA-256 of the whole DER certificate."""
    der = certificate.public_bytes(serialization.Encoding.DER)
    return "sha256/" + base64.b64encode(hashlib.sha256(der).digest()).decode()


@dataclass
class Chain:
    """What one TLS server presents: its certificates, leaf first, and the leaf's key; also as files."""

    certificates: list
    key: object
    file: Path

    @property
    def leaf(self):
        return self.certificates[0]


class Authority:
    """A certificate authority: a self-signed root, or an intermediate issued by another one."""

    def __init__(self, common_name, issuer=None):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.issuer = issuer
        signer, signer_name = (issuer.key, issuer.certificate.subject) if issuer else (self.key, name(common_name))
        builder = self._builder(name(common_name), signer_name, self.key.public_key(), NOW - 30 * DAY, NOW + 365 * DAY)
        builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        builder = builder.add_extension(
            x509.KeyUsage(False, False, False, False, False, True, True, False, False), critical=True
        )
        builder = self._add_identifiers(builder, self.key.public_key(), signer.public_key())
        self.certificate = builder.sign(signer, hashes.SHA256())

    @staticmethod
    def _builder(subject, issuer, public_key, not_before, not_after):
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(issuer)
            .public_key(public_key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(not_before)
            .not_valid_after(not_after)
        )

    @staticmethod
    def _add_identifiers(builder, public_key, issuer_public_key):
        return builder.add_extension(
            x509.SubjectKeyIdentifier.from_public_key(public_key), critical=False
        ).add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_public_key), critical=False)

    def leaf(
        self, names, not_before=NOW - DAY, not_after=NOW + 30 * DAY, usages=(ExtendedKeyUsageOID.SERVER_AUTH,)
    ):
        """A certificate for DNS names and IP addresses, of a server unless told otherwise, and its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        alternatives = []
        for entry in names:
            try:
                alternatives.append(x509.IPAddress(ipaddress.ip_address(entry)))
            except ValueError:
                alternatives.append(x509.DNSName(entry))
        builder = self._builder(name(names[0]), self.certificate.subject, key.public_key(), not_before, not_after)
        builder = builder.add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        builder = builder.add_extension(x509.ExtendedKeyUsage(usages), critical=False)
        builder = self._add_identifiers(builder, key.public_key(), self.key.public_key())
        return builder.sign(self.key, hashes.SHA256()), key

    def revocation_list(self, *revoked):
        """A list of its own as PEM, of these certificates."""
        builder = x509.CertificateRevocationListBuilder().issuer_name(self.certificate.subject)
        builder = builder.last_update(NOW - DAY).next_update(NOW + DAY)
        for certificate in revoked:
            entry = x509.RevokedCertificateBuilder().serial_number(certificate.serial_number).revocation_date(NOW - DAY)
            builder = builder.add_revoked_certificate(entry.build())
        identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
        builder = builder.add_extension(identifier, critical=False).add_extension(x509.CRLNumber(1), critical=False)
        return builder.sign(self.key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


class Certificates:
    """Every chain that the tests need."""

    NAMES = ["api.test.example", "*.test.example", "*.wild.test.example", "localhost", "127.0.0.1", "::1"]

    def __init__(self, folder: Path):
        self.folder = folder
        self.root = Authority("Interoperability Root")
        self.intermediate = Authority("Interoperability Intermediate", self.root)
        self.stranger = Authority("Interoperability Stranger Root")
        self.root_file = folder / "root.pem"
        self.root_file.write_bytes(pem(self.root.certificate))

        issue = self.intermediate.leaf
        middle = self.intermediate.certificate
        self.good = self._chain("good", issue(self.NAMES), [middle])
        self.other = self._chain("other", issue(["localhost", "127.0.0.1", "::1"]), [middle])
        self.expired = self._chain("expired", issue(self.NAMES, NOW - 20 * DAY, NOW - DAY), [middle])
        self.not_yet_valid = self._chain("not-yet-valid", issue(self.NAMES, NOW + DAY, NOW + 20 * DAY), [middle])
        self.wrong_host = self._chain("wrong-host", issue(["elsewhere.example", "192.0.2.1"]), [middle])
        self.incomplete = self._chain("incomplete", issue(self.NAMES), [])
        self.untrusted = self._chain("untrusted", self.stranger.leaf(self.NAMES), [self.stranger.certificate])
        self.with_stranger = self._chain("with-stranger", issue(self.NAMES), [middle, self.stranger.certificate])
        self.with_good_leaf = self._chain("with-good-leaf", issue(self.NAMES), [middle, self.good.leaf])

    def server(self, title, names, **times):
        """One more good chain, for other names."""
        return self._chain(title, self.intermediate.leaf(names, **times), [self.intermediate.certificate])

    def client(self, title, authority=None):
        """What a client shows of itself: the file of its certificates, and that of its key."""
        issuer = authority or self.intermediate
        leaf, key = issuer.leaf([title], usages=[ExtendedKeyUsageOID.CLIENT_AUTH])
        chain = self._chain(title, (leaf, key), [issuer.certificate])
        certificate, private_key = self.folder / f"{title}.crt", self.folder / f"{title}.key"
        certificate.write_bytes(b"".join(map(pem, chain.certificates)))
        private_key.touch(0o600)
        private_key.write_bytes(chain.file.read_bytes().removeprefix(certificate.read_bytes()))
        return certificate, private_key

    def _chain(self, title, leaf_and_key, others):
        leaf, key = leaf_and_key
        file = self.folder / f"{title}.pem"
        key_text = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        file.write_bytes(b"".join(pem(c) for c in [leaf, *others]) + key_text)
        return Chain([leaf, *others], key, file)
