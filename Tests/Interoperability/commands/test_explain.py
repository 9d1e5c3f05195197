"""`paraph explain --batch` beside the published vectors, oauthlib, and the suite's own reading of RFC 5849."""

import base64
import hashlib
import hmac
import json
import random
import subprocess

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from oauthlib.oauth1.rfc5849 import signature as oauthlib_signature

from conftest import binary
from harness import rfc5849
from harness.paraph import Paraph
from harness.random_requests import FORM, random_input, reference
from harness.vectors import VECTORS
from harness.verification import (
    HASHES,
    HMAC_WITH_OAUTHLIB,
    Secrets,
    oauthlib_base_string,
    oauthlib_follows_the_rfc,
)
from harness.waiting import LIMIT

SENT_BY_ITSELF = {
    "oauth_consumer_key",
    "oauth_token",
    "oauth_signature_method",
    "oauth_timestamp",
    "oauth_nonce",
    "oauth_version",
}


def batch(lines):
    """What it says to each line (bytes or a structure); one answer for each, whatever the line."""
    text = b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines) + b"\n"
    done = subprocess.run(
        [binary(), "explain", "--batch"], input=text, capture_output=True, timeout=LIMIT, env=Paraph.environment()
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(lines), (len(answers), done.stderr[-2000:])
    return answers


# The published vectors


def as_input(vector):
    """A vector of a whole request as an input line; None where explain has no way to say it."""
    asked, credentials, parameters = vector["request"], vector["credentials"], dict(map(tuple, vector["oauth_params"]))
    if not vector["can_sign"] or not {"oauth_consumer_key", "oauth_timestamp", "oauth_nonce"} <= set(parameters):
        return None
    if not parameters["oauth_timestamp"].isdigit():
        return None
    line = {
        "method": asked["method"],
        "url": asked["url"],
        "host": asked["host_header"],
        "body": asked["body"],
        "body_base64": asked["body_b64"],
        "content_type": asked["content_type"],
        "realm": vector["realm"],
        "consumer_key": parameters["oauth_consumer_key"],
        "consumer_secret": credentials["consumer_secret"],
        "token": parameters.get("oauth_token"),
        "token_secret": credentials["token_secret"],
        "nonce": parameters["oauth_nonce"],
        "timestamp": parameters["oauth_timestamp"],
        "signature_method": parameters["oauth_signature_method"],
        "private_key": credentials["rsa_private_key_pem"],
        "extra": {n: v for n, v in parameters.items() if n not in SENT_BY_ITSELF},
        "include_version": parameters.get("oauth_version") == "1.0",
    }
    if parameters.get("oauth_version", "1.0") != "1.0":
        line["extra"]["oauth_version"] = parameters["oauth_version"]
    return {n: v for n, v in line.items() if v is not None}


REQUESTS = [(v, as_input(v)) for v in VECTORS if v["kind"] == "request" and as_input(v)]


@pytest.fixture(scope="module")
def explained():
    return dict(zip((v["id"] for v, _ in REQUESTS), batch([line for _, line in REQUESTS]), strict=True))


def test_enough_of_the_vectors_are_asked():
    assert len(REQUESTS) >= 75


@pytest.mark.parametrize("vector", [v for v, _ in REQUESTS], ids=lambda v: v["id"])
def test_published_requests(explained, vector):
    got, expected = explained[vector["id"]], vector["expected"]
    assert "error" not in got, got
    assert set(got) >= {"normalized_parameters", "base_string", "signature", "authorization"}
    assert got["normalized_parameters"] == expected["normalized_params"]
    assert got["base_string"] == expected["base_string"]
    assert got["signature"] == expected["signature"]
    pairs, realm = rfc5849.parse_authorization(got["authorization"].encode())
    assert realm == (vector["realm"].encode() if vector["realm"] is not None else None)
    sent = sorted(
        (n.encode(), v.encode()) for n, v in vector["oauth_params"] + [["oauth_signature", expected["signature"]]]
    )
    assert sorted(pairs) == sent


BASE = {
    "method": "GET",
    "url": "http://example.com/",
    "consumer_key": "k",
    "consumer_secret": "s",
    "nonce": "n",
    "timestamp": 1,
}


def of_kind(kind):
    return [v for v in VECTORS if v["kind"] == kind]


def text_of(vector):
    return base64.b64decode(vector["input_b64"]) if vector.get("input_b64") else (vector["input"] or "").encode()


def without_protocol(normalized):
    return "&".join(p for p in normalized.split("&") if not p.startswith("oauth_"))


def test_published_normalizations():
    vectors = [v for v in of_kind("normalize") if "oauth_" not in v["input"]]
    asked = [
        {**BASE, "method": "POST", "content_type": FORM, "body_base64": base64.b64encode(text_of(v)).decode()}
        for v in vectors
    ]
    for vector, got in zip(vectors, batch(asked), strict=True):
        assert without_protocol(got["normalized_parameters"]) == vector["expected"]["normalized_params"], vector["id"]


def test_published_base_uris():
    vectors = [v for v in of_kind("base_uri") if v["input"].lower().startswith("http")]
    for vector, got in zip(vectors, batch([{**BASE, "url": v["input"]} for v in vectors]), strict=True):
        assert got["base_string"].split("&")[1] == rfc5849.encode(vector["expected"]["base_uri"]), vector["id"]


def test_published_encodings():
    vectors = [v for v in of_kind("encode") if v["input"] is not None]
    asked = [{**BASE, "extra": {"oauth_extra": v["input"]}} for v in vectors]
    for vector, got in zip(vectors, batch(asked), strict=True):
        assert f'oauth_extra="{vector["expected"]["encoded"]}"' in got["authorization"], vector["id"]


def test_published_body_hashes():
    vectors = of_kind("body_hash")
    asked = [
        {
            **BASE,
            "method": "POST",
            "content_type": "application/json",
            "body_base64": base64.b64encode(text_of(v)).decode(),
            "body_hash": True,
            "signature_method": "HMAC-SHA256" if len(v["expected"]["body_hash"]) > 30 else "HMAC-SHA1",
        }
        for v in vectors
    ]
    for vector, got in zip(vectors, batch(asked), strict=True):
        assert f'oauth_body_hash="{rfc5849.encode(vector["expected"]["body_hash"])}"' in got["authorization"], vector[
            "id"
        ]


# Requests made at random


def expected_signature(line, base, key):
    method, secret, token_secret = line["signature_method"], line["consumer_secret"], line.get("token_secret", "")
    if method == "PLAINTEXT":
        return oauthlib_signature.sign_plaintext(secret, token_secret)
    if method in HMAC_WITH_OAUTHLIB:
        return HMAC_WITH_OAUTHLIB[method](base, Secrets(secret, token_secret))
    return base64.b64encode(key.sign(base.encode(), padding.PKCS1v15(), HASHES[method.split("-")[1]][1]())).decode()


@pytest.mark.parametrize("awkward", [False, True], ids=["what-oauthlib-takes", "awkward"])
def test_requests_at_random(awkward):
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
    noise = random.Random(42 + awkward)
    lines = [random_input(noise, number, pem, awkward) for number in range(2500)]
    by_oauthlib = 0
    for line, got in zip(lines, batch(lines), strict=True):
        parameters, normalized, base, received, query, form = reference(line)
        assert got.get("normalized_parameters") == normalized, (line, got)
        assert got["base_string"] == base, line
        assert got["signature"] == expected_signature(line, base, key), line
        pairs, realm = rfc5849.parse_authorization(got["authorization"].encode())
        assert dict(pairs) == {
            n.encode(): v.encode() for n, v in {**parameters, "oauth_signature": got["signature"]}.items()
        }
        assert realm == (line["realm"].encode() if "realm" in line else None)
        if oauthlib_follows_the_rfc(received, query, form):
            received.authorization = (
                "OAuth " + ", ".join(f'{n.decode()}="{rfc5849.encode(v)}"' for n, v in pairs)
            ).encode()
            assert oauthlib_base_string(received, query, form) == base
            by_oauthlib += 1
    assert by_oauthlib > (100 if awkward else 1500)


def test_bytes_that_are_no_text():
    noise = random.Random(5)
    lines = [
        {
            **BASE,
            "method": "POST",
            "content_type": FORM,
            "body_base64": base64.b64encode(noise.randbytes(60)).decode(),
            "nonce": str(n),
        }
        for n in range(500)
    ]
    for line, got in zip(lines, batch(lines), strict=True):
        expected = rfc5849.form_pairs(base64.b64decode(line["body_base64"]))
        assert without_protocol(got["normalized_parameters"]) == rfc5849.normalize(expected), line


@pytest.mark.parametrize(
    "name, algorithm", [("HMAC-SHA1", "sha1"), ("HMAC-SHA256", "sha256"), ("HMAC-SHA512", "sha512")]
)
def test_body_hashes(name, algorithm):
    bodies = [b"", b"{}", bytes(range(256)), b"a=1&b=2"]
    lines = [
        {
            **BASE,
            "method": "PUT",
            "content_type": "text/plain",
            "signature_method": name,
            "body_hash": True,
            "body_base64": base64.b64encode(b).decode(),
        }
        for b in bodies
    ]
    for body, got in zip(bodies, batch(lines), strict=True):
        expected = rfc5849.encode(base64.b64encode(hashlib.new(algorithm, body).digest()))
        assert f'oauth_body_hash="{expected}"' in got["authorization"]
        digest = hmac.new(b"s&", got["base_string"].encode(), algorithm).digest()
        assert got["signature"] == base64.b64encode(digest).decode()


def test_lines_that_cannot_be_signed_are_errors_and_it_goes_on():
    good = {**BASE}
    bad = [
        b"",
        b"not json",
        b"[]",
        b"{}",
        b'"text"',
        b"null",
        b"\xff\xfe",
        b'{"method": "GET"}',
        {**BASE, "url": "nonsense"},
        {**BASE, "url": "http://"},
        {**BASE, "signature_method": "HMAC-MD5"},
        {**BASE, "signature_method": "RSA-SHA1"},
        {**BASE, "signature_method": "RSA-SHA256", "private_key": "not a key"},
        {**BASE, "body_base64": "%%%"},
        {**BASE, "method": ""},
        {**BASE, "method": 7},
        {**BASE, "extra": "x"},
        b"[" * 100000,
    ]
    lines = [entry for line in bad for entry in (line, good)]
    # An empty line may as well stand for nothing.
    lines = [line for line in lines if line != b""]
    answers = batch(lines)
    for line, got in zip(lines, answers, strict=True):
        if line == good:
            assert got["signature"]
        else:
            assert isinstance(got.get("error"), str) and got["error"], (line, got)
            assert "not a key" not in got["error"]


def test_single_requests():
    command = [binary(), "explain", "--help"]
    done = subprocess.run(command, capture_output=True, timeout=LIMIT, env=Paraph.environment())
    assert done.returncode == 0 and b"--batch" in done.stdout and b"--json" in done.stdout
