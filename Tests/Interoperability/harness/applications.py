"""The provider's side of credentials: applications (consumer keys), their tokens, and Twitter's reverse auth."""

import secrets
import threading
from dataclasses import dataclass, field

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from . import rfc5849
from .known import Known
from .verification import Refused
from .waiting import LIMIT

KNOWN_SECRETS = Known()
KNOWN_TOKENS = Known()


def remember(value):
    """No output of the proxy may ever contain `value`, plain or encoded."""
    KNOWN_SECRETS.update((value, rfc5849.encode(value)))
    return value


def secret(kind=""):
    """A fresh secret, remembered."""
    return remember(f"{kind}{secrets.token_urlsafe(24)}")


@dataclass
class Token:
    value: str
    secret: str
    user: str
    revoked: bool = False


class Application:
    """One consumer key. Tests make their own, so that what one does to it is nobody else's business."""

    def __init__(self, rsa_key=False, key=None):
        self.key = key or "app-" + secrets.token_hex(6)
        self.secret = secret("cs/")
        self.tokens = {"": Token("", "", "nobody")}
        self.private_key = self.public_key = None
        if rsa_key:
            key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
            self.public_key = key.public_key()
            self.private_key = {
                form: key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())
                for form in (serialization.PrivateFormat.PKCS8, serialization.PrivateFormat.TraditionalOpenSSL)
            }
            for text in self.private_key.values():
                for line in text.splitlines()[1:-1]:
                    remember(line.decode())
        self.reverse_auth = ReverseAuth(self)

    def issue(self, user, value=None):
        """A new token. Its parts hold characters that have to be encoded, unless its `value` is given."""
        value = value or f"{secrets.token_hex(4)}/{user}+{secrets.token_hex(8)}"
        token = Token(value, secret("ts=+&") + "==", user)
        self.tokens[token.value] = token
        KNOWN_TOKENS.update((token.value, rfc5849.encode(token.value)))
        return token

    def token(self, value):
        found = self.tokens.get(value)
        if found is None:
            raise Refused("token_rejected", "unknown token")
        if found.revoked:
            raise Refused("token_revoked", "the token was revoked")
        return found


@dataclass
class Failure:
    """What an endpoint answers instead of doing its work."""

    status: int
    text: str
    content_type: str = "text/html; charset=utf-8"


@dataclass
class ReverseAuth:
    """The two steps of Twitter's reverse auth for one application, with counters and switches for the tests."""

    application: Application
    first_steps: int = 0
    second_steps: int = 0
    issued: list = field(default_factory=list)
    failures: dict = field(default_factory=dict)
    gate: threading.Event = field(default_factory=threading.Event)
    before_answer: object = None
    after_answer: object = None
    reached: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self):
        self.gate.set()
        self.platform = None
        self.platform_token = None
        self.opaque = {}
        self.lock = threading.Lock()

    def sign_with_platform(self, platform, token):
        """The platform account whose credentials sign the second step."""
        self.platform, self.platform_token = platform, token

    def first(self, verdict, form):
        """Step 1: signed by the application alone; the answer is opaque text that looks like an Authorization value."""
        with self.lock:
            self.first_steps += 1
        self.reached.set()
        self.gate.wait(LIMIT)
        if 1 in self.failures:
            return self.failures[1]
        if (b"x_auth_mode", b"reverse_auth") not in form:
            return Failure(400, "x_auth_mode is missing")
        if "oauth_token" in verdict.parameters or "oauth_callback" in verdict.parameters:
            return Failure(401, "Failed to validate oauth signature and token")
        mark = secrets.token_urlsafe(16)
        text = (
            f'OAuth oauth_nonce="{mark}", oauth_timestamp="1700000000", oauth_signature="a%2bb%2Fc%3d", '
            f'oauth_consumer_key="{self.application.key}",oauth_signature_method="HMAC-SHA1",  oauth_token="x%20y+z", '
            f'oauth_version="1.0"'
        )
        with self.lock:
            self.opaque[text] = verdict.parameters["oauth_nonce"]
        return text

    def second(self, verdict, form):
        """Step 2: signed by the platform account; the answer is form-encoded and names the user."""
        with self.lock:
            self.second_steps += 1
        if 2 in self.failures:
            return self.failures[2]
        values = dict(form)
        if verdict.application is not self.platform or verdict.token is not self.platform_token:
            return Failure(401, "Failed to validate oauth signature and token")
        with self.lock:
            known = self.opaque.pop(values.get(b"x_reverse_auth_parameters", b"").decode(), None)
        if known is None:
            return Failure(400, "Reverse auth credentials are invalid")
        token = self.application.issue("reverse")
        self.issued.append(token)
        # The secret's trailing "==" stays raw: the pairs are split at their first "=".
        encoded_secret = rfc5849.encode(token.secret[:-2]) + "=="
        issued = f"oauth_token={rfc5849.encode(token.value)}&oauth_token_secret={encoded_secret}"
        return f"{issued}&user_id=42&screen_name=Se%C3%B1or"
