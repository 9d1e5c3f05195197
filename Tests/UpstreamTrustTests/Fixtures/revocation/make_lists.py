#!/usr/bin/env python3
"""Makes the certificates and revocation lists beside it with pyca/cryptography; keys and signatures are new each time."""
import datetime
import pathlib

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

FOLDER = pathlib.Path(__file__).parent
PEM = serialization.Encoding.PEM
DER = serialization.Encoding.DER


def day(year, month=1, day=1):
    return datetime.datetime(year, month, day)


def name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def certificate(file, subject, key, issuer, issuer_key, serial, is_authority, signs_lists=True):
    builder = (
        x509.CertificateBuilder()
        .subject_name(name(subject))
        .issuer_name(name(issuer))
        .public_key(key.public_key())
        .serial_number(serial)
        .not_valid_before(day(2026))
        .not_valid_after(day(2036))
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
    )
    if is_authority:
        usage = x509.KeyUsage(False, False, False, False, False, True, signs_lists, False, False)
        builder = builder.add_extension(usage, critical=True)
    else:
        builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName("api.example.com")]), critical=False)
    made = builder.sign(issuer_key, hashes.SHA256())
    (FOLDER / file).write_bytes(made.public_bytes(PEM))
    return made


def crl(file, issuer, key, this=day(2026, 12), next=day(2035), revoked=(), extensions=(), encoding=PEM):
    builder = x509.CertificateRevocationListBuilder().issuer_name(name(issuer)).last_update(this).next_update(next)
    builder = builder.add_extension(x509.CRLNumber(1), critical=False)
    for extension, is_critical in extensions:
        builder = builder.add_extension(extension, critical=is_critical)
    for serial, extension in revoked:
        entry = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(day(2026, 11, 30))
        if extension is not None:
            entry = entry.add_extension(extension, critical=isinstance(extension, x509.CertificateIssuer))
        builder = builder.add_revoked_certificate(entry.build())
    made = builder.sign(key, hashes.SHA256()).public_bytes(encoding)
    (FOLDER / file).write_bytes(made)
    return made


root, middle, leaf, other = (ec.generate_private_key(ec.SECP256R1()) for _ in range(4))
certificate("root.pem", "root", root, "root", root, 1, True)
certificate("intermediate.pem", "intermediate", middle, "root", root, 0xA0B1, True)
certificate("no-lists.pem", "intermediate", middle, "root", root, 0xA0B2, True, signs_lists=False)
certificate("leaf.pem", "api.example.com", leaf, "intermediate", middle, 0x80FF, False)

nothing = crl("of-root.crl", "root", root)
empty = crl("empty.crl", "intermediate", middle)
(FOLDER / "both.crl").write_bytes(nothing + b"\nwords between them\n" + empty)
crl("empty.der", "intermediate", middle, encoding=DER)
crl("of-root-revokes.crl", "root", root, revoked=[(0xA0B1, None)])
crl("revokes.crl", "intermediate", middle, revoked=[(7, None), (0x80FF, x509.CRLReason(x509.ReasonFlags.key_compromise))])
crl("revokes-another.crl", "intermediate", middle, revoked=[(0x80FE, None)])
crl("old.crl", "intermediate", middle, this=day(2026, 2), next=day(2026, 3))
crl("old-revokes.crl", "intermediate", middle, this=day(2026, 2), next=day(2026, 3), revoked=[(0x80FF, None)])
crl("future.crl", "intermediate", middle, this=day(2034), revoked=[(0x80FF, None)])
crl("forged.crl", "intermediate", other, revoked=[(0x80FF, None)])
crl("delta.crl", "intermediate", middle, extensions=[(x509.DeltaCRLIndicator(1), True)])
point = x509.IssuingDistributionPoint(None, None, True, False, None, False, False)
crl("partial.crl", "intermediate", middle, extensions=[(point, True)])
issuer = x509.CertificateIssuer([x509.DirectoryName(name("somebody"))])
crl("indirect.crl", "intermediate", middle, revoked=[(7, issuer)])
unknown = x509.UnrecognizedExtension(x509.ObjectIdentifier("1.3.6.1.4.1.99999.1"), b"\x05\x00")
crl("unknown.crl", "intermediate", middle, extensions=[(unknown, True)])
crl("unknown-not-critical.crl", "intermediate", middle, extensions=[(unknown, False)])
