"""A right signer of OAuth 1.0a whose steps can be replaced one by one.

A faulty signer is a function that takes one of these and puts a wrong step in the place of a right one, so that what it
gets wrong is written once and nothing else is wrong. All text is `str`; bytes begin where something is hashed.
"""

import base64
import hashlib
import hmac
import json
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
FORM = "application/x-www-form-urlencoded"
HASHES = {"SHA1": hashes.SHA1, "SHA256": hashes.SHA256, "SHA512": hashes.SHA512}


@dataclass(frozen=True)
class Request:
    """A request as it goes over the wire."""

    method: str
    url: str
    body: bytes = b""
    content_type: str | None = None

    @property
    def parts(self):
        return urlsplit(self.url)


@dataclass(frozen=True)
class Credentials:
    consumer_key: str = "dpf43f3p2l4k3l03"
    consumer_secret: str = "kd94hf93k423kf44"
    token: str | None = "nnch734d00sl2jdk"
    token_secret: str | None = "pfkkdhi9sl3r4s00"
    private_key: rsa.RSAPrivateKey | None = field(default=None, repr=False)


def encode(text, keep=UNRESERVED, upper=True, plus=False, charset="utf-8"):
    """Percent-encoding (RFC 5849, section 3.6), and what others make of it."""
    kept = frozenset(keep.encode()) | UNRESERVED if isinstance(keep, str) else keep
    pattern = "%{:02X}" if upper else "%{:02x}"
    data = text if isinstance(text, bytes) else text.encode(charset)
    done = "".join(chr(byte) if byte in kept else pattern.format(byte) for byte in data)
    return done.replace("%20", "+") if plus else done


def decode(text, plus=True):
    """Percent-decoding of a query or a form (RFC 5849, section 3.4.1.3.1)."""
    data, at, done = text.replace("+", " ").encode() if plus else text.encode(), 0, bytearray()
    while at < len(data):
        escape = data[at + 1 : at + 3]
        if data[at : at + 1] == b"%" and len(escape) == 2 and all(c in b"0123456789abcdefABCDEF" for c in escape):
            done.append(int(escape, 16))
            at += 3
        else:
            done.append(data[at])
            at += 1
    return done.decode("utf-8")


def pairs(text):
    """The decoded parameters of a query or a form."""
    split = [segment.partition("=") for segment in text.split("&") if segment]
    return [(decode(name), decode(value)) for name, _, value in split]


def raw_pairs(text):
    return [(name, value) for name, _, value in (segment.partition("=") for segment in text.split("&"))]


class Signer:
    """Signs a request. Each method is one step, and may be replaced on an instance."""

    def __init__(self, request, credentials, algorithm="HMAC-SHA1", body_hash=False, extra=(), version=True):
        self.request, self.credentials, self.algorithm = request, credentials, algorithm
        self.consumer_key, self.token = credentials.consumer_key, credentials.token
        self.consumer_secret, self.token_secret = credentials.consumer_secret, credentials.token_secret or ""
        self.has_body_hash, self.extra, self.version = body_hash, list(extra), "1.0" if version else None
        self.nonce, self.timestamp = "kllo9940pd9333jh", "1764230400"
        self.realm = None
        # What is given to paraph, where the other side saw another request than was signed.
        self.seen = request

    # The parameters

    def hash_of_body(self):
        return base64.b64encode(self.hashed(self.request.body)).decode()

    def hashed(self, data):
        """A hash by the algorithm of the signature's method; SHA-1 is the draft's own."""
        name = self.algorithm.partition("-")[2] or "SHA1"
        return hashlib.new(name.lower(), data).digest()

    def protocol(self):
        """The parameters of the protocol that are sent, but for the signature."""
        named = [
            ("oauth_consumer_key", self.consumer_key),
            ("oauth_token", self.token),
            ("oauth_signature_method", self.algorithm),
            ("oauth_timestamp", self.timestamp),
            ("oauth_nonce", self.nonce),
            ("oauth_version", self.version),
            ("oauth_body_hash", self.hash_of_body() if self.has_body_hash else None),
            *self.extra,
        ]
        return [(name, value) for name, value in named if value is not None]

    def signed_protocol(self):
        """The parameters of the protocol that are signed."""
        return self.protocol()

    def query(self):
        return pairs(self.request.parts.query)

    def is_form(self):
        return (self.request.content_type or "").partition(";")[0].strip().lower() == FORM

    def form(self):
        return pairs(self.request.body.decode()) if self.is_form() else []

    def application(self):
        """The parameters that are not the protocol's."""
        return self.query() + self.form()

    def parameters(self):
        return self.signed_protocol() + self.application()

    # The base string

    def encode(self, text):
        return encode(text)

    def encode_name(self, name):
        return self.encode(name)

    def encode_value(self, value):
        return self.encode(value)

    def sort(self, encoded):
        return sorted(encoded)

    def encoded(self):
        return [(self.encode_name(name), self.encode_value(value)) for name, value in self.parameters()]

    def normalized(self):
        return "&".join(f"{name}={value}" for name, value in self.sort(self.encoded()))

    def verb(self):
        return self.request.method.upper()

    def scheme(self):
        return self.request.parts.scheme.lower()

    def authority(self):
        host = self.request.parts.netloc.rpartition("@")[2].lower()
        default = {"http": ":80", "https": ":443"}[self.request.parts.scheme.lower()]
        return host.removesuffix(default)

    def path(self):
        return self.request.parts.path or "/"

    def address(self):
        return f"{self.scheme()}://{self.authority()}{self.path()}"

    def base_string(self):
        return "&".join((self.verb(), encode(self.address()), encode(self.normalized())))

    # The signature

    def key(self):
        return encode(self.consumer_secret) + "&" + encode(self.token_secret)

    def key_bytes(self):
        return self.key().encode()

    def text_bytes(self):
        return self.base_string().encode()

    def digest(self, key, text):
        kind, _, name = self.algorithm.partition("-")
        if kind == "RSA":
            return self.credentials.private_key.sign(text, padding.PKCS1v15(), HASHES[name]())
        return hmac.new(key, text, name.lower()).digest()

    def signature(self):
        if self.algorithm == "PLAINTEXT":
            return self.key()
        return base64.b64encode(self.digest(self.key_bytes(), self.text_bytes())).decode()

    # What is sent

    def sent(self):
        """The parameters of the protocol, in the order of the header."""
        return [*self.protocol(), ("oauth_signature", self.signature())]

    def header(self):
        written = [f'realm="{self.realm}"'] if self.realm is not None else []
        written += [f'{name}="{encode(value)}"' for name, value in self.sent()]
        return "OAuth " + ", ".join(written)

    # Aids for replacing a step

    def change(self, step, function):
        """Puts `function` behind a step: it is given what the right step yields."""
        right = getattr(self, step)
        setattr(self, step, lambda *given: function(right(*given)))

    def each_value(self, function):
        """Changes each value of the application's parameters."""
        self.change("application", lambda found: [(name, function(value)) for name, value in found])

    def each_name(self, function):
        self.change("application", lambda found: [(function(name), value) for name, value in found])

    def put(self, step, value):
        """Has a step always yield one value."""
        setattr(self, step, lambda *_: value)

    def until(self, wanted):
        """Looks for a nonce with which the signature is as wanted."""
        for number in range(10_000):
            self.nonce = f"kllo9940pd9333{number}"
            if wanted(self.signature()):
                return
        raise ValueError("no nonce yields such a signature")

    def json(self):
        return json.loads(self.request.body)

    def see(self, **changed):
        """Gives paraph another request than was signed, as a framework or a gateway shows it."""
        self.seen = replace(self.request, **changed)

    def pem(self):
        return self.credentials.private_key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
