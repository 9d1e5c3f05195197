"""A wrong oauth_body_hash, which is signed as it is sent."""

import base64
import hashlib
import hmac
import json

from signers.faulty import faulty
from signers.sample import ACCENTED_JSON, EMPTY_POST, JSON, MULTIPART
from signers.signer import encode

HASHED = JSON.hashing()
HASHED_256 = JSON.hashing().by("HMAC-SHA256")
RSA_256 = JSON.hashing().by("RSA-SHA256")
EMPTY = EMPTY_POST.hashing().by("HMAC-SHA256")


def b64(data):
    return base64.b64encode(data).decode()


def hash_of(s, data):
    """Has another body hashed."""
    s.hash_of_body = lambda: b64(s.hashed(data))


@faulty(
    "body-hash-of-nothing",
    "oauth_body_hash is the hash of an empty body.",
    r"empty|nothing|no body",
    on=[HASHED, RSA_256],
)
def body_hash_of_nothing(s):
    hash_of(s, b"")


@faulty("body-hash-hexadecimal", "oauth_body_hash is hexadecimal, not Base64.", r"hex", on=[HASHED, HASHED_256])
def body_hash_hexadecimal(s):
    s.hash_of_body = lambda: s.hashed(s.request.body).hex()


@faulty("body-hash-base64-of-hexadecimal", "oauth_body_hash is the Base64 of hexadecimal digits.", r"hex", on=HASHED)
def body_hash_base64_of_hexadecimal(s):
    s.hash_of_body = lambda: b64(s.hashed(s.request.body).hex().encode())


@faulty(
    "body-hash-sha1-under-sha256",
    "oauth_body_hash is a SHA-1; the method asks for SHA-256.",
    r"SHA-?1\b",
    on=[HASHED_256, RSA_256],
)
def body_hash_sha1_under_sha256(s):
    s.hash_of_body = lambda: b64(hashlib.sha1(s.request.body).digest())


@faulty("body-hash-md5", "oauth_body_hash is an MD5.", r"MD-?5", on=HASHED)
def body_hash_md5(s):
    s.hash_of_body = lambda: b64(hashlib.md5(s.request.body).digest())


@faulty(
    "body-hash-sha512-under-sha256",
    "oauth_body_hash is a SHA-512; the method asks for SHA-256.",
    r"SHA-?512",
    on=RSA_256,
)
def body_hash_sha512_under_sha256(s):
    s.hash_of_body = lambda: b64(hashlib.sha512(s.request.body).digest())


@faulty("body-hash-of-null", "oauth_body_hash is the hash of the word null; there is no body.", r"\bnull\b", on=EMPTY)
def body_hash_of_null(s):
    hash_of(s, b"null")


@faulty(
    "body-hash-of-undefined",
    "oauth_body_hash is the hash of the word undefined; there is no body.",
    r"undefined",
    on=EMPTY,
)
def body_hash_of_undefined(s):
    hash_of(s, b"undefined")


@faulty(
    "body-hash-of-empty-object",
    "oauth_body_hash is the hash of {}; there is no body.",
    r"\{ ?\}|empty (json )?object",
    on=EMPTY,
)
def body_hash_of_empty_object(s):
    hash_of(s, b"{}")


@faulty(
    "body-hash-slashes-escaped",
    r"The body was hashed with \/ for /, and sent without.",
    r"\\|slash|backslash|escap|serial|written otherwise|other text",
    source="https://github.com/Mastercard/oauth1-signer-java/issues/33",
    on=RSA_256,
)
def body_hash_slashes_escaped(s):
    hash_of(s, s.request.body.replace(b"/", b"\\/"))


@faulty(
    "body-hash-compact",
    "The JSON was hashed without blanks, and sent with them.",
    r"blank|space|compact|minif|serial|white|pretty|format|written otherwise|other text",
    on=[HASHED, HASHED_256],
)
def body_hash_compact(s):
    hash_of(s, json.dumps(s.json(), separators=(",", ":")).encode())


@faulty(
    "body-hash-latin-1",
    "The body was hashed as Latin-1 and sent as UTF-8.",
    r"latin.?1|8859-1|1252",
    on=ACCENTED_JSON.hashing(),
)
def body_hash_latin_1(s):
    hash_of(s, s.request.body.decode().encode("latin-1"))


@faulty("body-hash-utf-16", "The body was hashed as UTF-16.", r"UTF-?16|wide|two bytes", on=HASHED)
def body_hash_utf_16(s):
    hash_of(s, s.request.body.decode().encode("utf-16-le"))


@faulty(
    "body-hash-without-line-end",
    "The line end of the body was not hashed.",
    r"line (feed|end|break)|new ?line|\\n|trim|strip",
    on=JSON.sending(b'{"name": "Al"}\n', "application/json").hashing(),
)
def body_hash_without_line_end(s):
    hash_of(s, s.request.body.rstrip())


@faulty(
    "body-hash-encoded",
    "oauth_body_hash was percent-encoded once too often.",
    r"percent|encod|twice|double",
    source="https://github.com/Mastercard/oauth1-signer-nodejs/issues/13",
    on=HASHED_256,
)
def body_hash_encoded(s):
    s.change("hash_of_body", encode)


@faulty(
    "body-hash-for-urls",
    "oauth_body_hash is in the Base64 for URLs.",
    r"\burls?\b|- and _|base.?64",
    on=JSON.sending(b'{"qty": 6}', "application/json").hashing().by("HMAC-SHA256"),
)
def body_hash_for_urls(s):
    s.change("hash_of_body", lambda text: text.replace("+", "-").replace("/", "_").rstrip("="))


@faulty("body-hash-without-padding", "The = at the end of oauth_body_hash is missing.", r"padding|padded|=", on=HASHED)
def body_hash_without_padding(s):
    s.change("hash_of_body", lambda text: text.rstrip("="))


@faulty(
    "body-hash-not-signed",
    "oauth_body_hash is sent, and not signed.",
    r"not sign[^.]*body.?hash|body.?hash[^.]*(not (part|in|among|sign)|unsigned|left out)|without[^.]*body.?hash",
    on=HASHED,
)
def body_hash_not_signed(s):
    s.change("signed_protocol", lambda found: [pair for pair in found if pair[0] != "oauth_body_hash"])


@faulty(
    "body-hash-of-multipart-file",
    "Only the file within the multipart body was hashed.",
    r"multipart|\bfile\b|\bparts?\b",
    on=MULTIPART.hashing(),
)
def body_hash_of_multipart_file(s):
    hash_of(s, b"content")


@faulty(
    "body-hash-keyed",
    "oauth_body_hash is an HMAC with the consumer secret, not a hash.",
    r"HMAC",
    on=HASHED,
)
def body_hash_keyed(s):
    s.hash_of_body = lambda: b64(hmac.new(s.consumer_secret.encode(), s.request.body, "sha1").digest())
