"""Judges a received request's OAuth 1.0a signature: by oauthlib's signature functions wherever they follow RFC 5849 for
the request at hand, and always by `rfc5849`. Where both judge, they must agree."""

import base64
import hashlib
import hmac
import re
import warnings
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from oauthlib.common import urlencoded
from oauthlib.oauth1.rfc5849 import signature as oauthlib_signature

from . import rfc5849

HASHES = {
    "SHA1": (hashlib.sha1, hashes.SHA1),
    "SHA256": (hashlib.sha256, hashes.SHA256),
    "SHA512": (hashlib.sha512, hashes.SHA512),
}
HMAC_WITH_OAUTHLIB = {
    "HMAC-SHA1": oauthlib_signature.sign_hmac_sha1_with_client,
    "HMAC-SHA256": oauthlib_signature.sign_hmac_sha256_with_client,
    "HMAC-SHA512": oauthlib_signature.sign_hmac_sha512_with_client,
}
VALID_FORM = frozenset(c.encode() for c in urlencoded)


class Refused(Exception):
    """The request is not accepted; `problem` is a token of the OAuth Problem Reporting extension."""

    def __init__(self, problem, detail=""):
        super().__init__(f"{problem}: {detail}")
        self.problem = problem


@dataclass
class Received:
    """One request as it arrived: bytes everywhere."""

    method: bytes
    scheme: bytes
    host: bytes
    target: bytes
    authorization: bytes | None
    content_type: bytes | None
    body: bytes | None


@dataclass
class Verdict:
    base_string: str
    by: list
    parameters: dict
    placement: str
    realm: bytes | None
    application: object = None
    token: object = None
    pairs: list = field(default_factory=list)


class Secrets:
    """What oauthlib's signing functions ask a client object for."""

    def __init__(self, client_secret, token_secret):
        self.client_secret = client_secret
        self.resource_owner_secret = token_secret


def oauthlib_follows_the_rfc(request, query, form):
    """False where oauthlib is known to refuse or to alter what it is given."""
    path = request.target.split(b"?")[0]
    if (
        b";" in path.rsplit(b"/", 1)[-1]
        or not re.fullmatch(rb"[\x21-\x7e]*", path)
        or not path.startswith(b"/")
        or path.startswith(b"//")
        or b"#" in path
    ):
        return False
    if request.host.startswith(b"["):
        return False
    for data in (query, form):
        if any(bytes([o]) not in VALID_FORM for o in data) or re.search(rb"%(?![0-9A-Fa-f]{2})", data):
            return False
        for left, right in rfc5849.form_pairs(data):
            try:
                left.decode(), right.decode()
            except UnicodeDecodeError:
                return False
            if left.startswith(b"oauth_") and b"%" in right:
                return False
    return True


def oauthlib_base_string(request, query, form):
    headers = {"Authorization": request.authorization.decode("ascii")} if request.authorization else {}
    parameters = oauthlib_signature.collect_parameters(
        uri_query=query.decode("ascii"), body=form.decode("ascii"), headers=headers
    )
    uri = f"{request.scheme.decode()}://{request.host.decode()}{request.target.split(b'?')[0].decode()}"
    return oauthlib_signature.signature_base_string(
        request.method.decode(),
        oauthlib_signature.base_string_uri(uri, request.host.decode()),
        oauthlib_signature.normalize_parameters(parameters),
    )


def protocol_parameters(request, query, form):
    """Where the protocol parameters are, and which."""
    if request.authorization is not None and request.authorization[:6].lower() == b"oauth ":
        pairs, realm = rfc5849.parse_authorization(request.authorization)
        return "header", pairs, realm
    for place, data in (("query", query), ("body", form)):
        pairs = [p for p in rfc5849.form_pairs(data) if p[0].startswith(b"oauth_")]
        if any(n == b"oauth_signature" for n, _ in pairs):
            return place, pairs, None
    raise Refused("parameter_absent", "the request is not signed")


def signature_matches(method, base_string, application, token_secret, signature):
    by = ["rfc5849"]
    if method in HMAC_WITH_OAUTHLIB:
        expected = HMAC_WITH_OAUTHLIB[method](base_string, Secrets(application.secret, token_secret))
        key = f"{rfc5849.encode(application.secret)}&{rfc5849.encode(token_secret)}".encode()
        digest = hmac.new(key, base_string.encode(), HASHES[method.split("-")[1]][0]).digest()
        assert expected == base64.b64encode(digest).decode(), "oauthlib and the RFC disagree about an HMAC"
        by.append("oauthlib")
        return hmac.compare_digest(expected, signature), by
    if method == "PLAINTEXT":
        expected = oauthlib_signature.sign_plaintext(application.secret, token_secret)
        by.append("oauthlib")
        return hmac.compare_digest(expected, signature), by
    if method.startswith("RSA-") and application.public_key is not None:
        try:
            application.public_key.verify(
                base64.b64decode(signature), base_string.encode(), padding.PKCS1v15(), HASHES[method.split("-")[1]][1]()
            )
            return True, by
        except InvalidSignature:
            return False, by
    raise Refused("signature_method_rejected", method)


def verify(request, provider):
    """The verdict; raises `Refused`. `provider` looks up applications and tokens, and remembers nonces."""
    path, _, query = request.target.partition(b"?")
    form = request.body or b"" if rfc5849.is_form(request.content_type) else b""
    try:
        placement, pairs, realm = protocol_parameters(request, query, form)
        parameters = {n.decode(): v.decode() for n, v in pairs}
    except (rfc5849.Malformed, UnicodeDecodeError) as error:
        raise Refused("parameter_rejected", str(error)) from None
    for required in (
        "oauth_consumer_key",
        "oauth_signature_method",
        "oauth_signature",
        "oauth_timestamp",
        "oauth_nonce",
    ):
        if required not in parameters:
            raise Refused("parameter_absent", required)
    if parameters.get("oauth_version", "1.0") != "1.0":
        raise Refused("version_rejected", parameters["oauth_version"])
    application = provider.application(parameters["oauth_consumer_key"])
    token = application.token(parameters.get("oauth_token", ""))

    everything = rfc5849.form_pairs(query) + rfc5849.form_pairs(form) + (pairs if placement == "header" else [])
    everything = [p for p in everything if p[0] != b"oauth_signature"]
    uri = rfc5849.base_uri(request.scheme, request.host, path)
    base_string = rfc5849.base_string(request.method, uri, rfc5849.normalize(everything))
    base_by_oauthlib = oauthlib_follows_the_rfc(request, query, form)
    if base_by_oauthlib:
        assert base_string == oauthlib_base_string(request, query, form), (
            "oauthlib and the RFC disagree about a base string"
        )

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        matches, by = signature_matches(
            parameters["oauth_signature_method"], base_string, application, token.secret, parameters["oauth_signature"]
        )
    if not base_by_oauthlib and "oauthlib" in by:
        by.remove("oauthlib")
    if not matches:
        raise Refused("signature_invalid", base_string)
    if abs(int(parameters["oauth_timestamp"]) - provider.now()) > 300:
        raise Refused("timestamp_refused", parameters["oauth_timestamp"])
    provider.remember_nonce(parameters)
    if "oauth_body_hash" in parameters:
        algorithm = HASHES[parameters["oauth_signature_method"].rsplit("-", 1)[1]][0]
        if base64.b64encode(algorithm(request.body or b"").digest()).decode() != parameters["oauth_body_hash"]:
            raise Refused("body_hash_invalid")
    return Verdict(base_string, by, parameters, placement, realm, application, token, everything)
