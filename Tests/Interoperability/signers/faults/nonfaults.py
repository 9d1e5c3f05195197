"""Right signers: with other secrets, of which nothing can be proven, and with differences that are none."""

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from signers.faulty import faulty
from signers.sample import (
    ACCENTS,
    BARE,
    EMPTY_VALUES,
    ESCAPED_PATH,
    INDEXED,
    JSON,
    MULTILINE,
    MULTIPART,
    NESTED,
    ODD_SECRETS,
    PHOTOS,
    PLAIN_HTTP,
    PORT,
    RESERVED,
    SPACED_PATH,
    TYPED,
    UPDATE,
    get,
    private_key,
)
from signers.signer import FORM, encode

OTHER = "Kd9XnB7wQz4LmT2v"
WRONG = "It signs rightly with another secret; nothing else may be called proven."
NONE = "There is no difference."


def other_secret(identity, on, attribute="consumer_secret"):
    """Declares a right signer that has another secret."""

    @faulty(identity, WRONG, on=on, expected="other key")
    def build(s):
        setattr(s, attribute, OTHER)


other_secret("other-secret-get", PHOTOS)
other_secret("other-secret-form", UPDATE)
other_secret("other-secret-json", JSON)
other_secret("other-secret-body-hash", JSON.hashing())
other_secret("other-secret-multipart", MULTIPART)
other_secret("other-secret-accents", ACCENTS)
other_secret("other-secret-reserved", RESERVED)
other_secret("other-secret-nested", NESTED)
other_secret("other-secret-indexed", INDEXED)
other_secret("other-secret-typed", TYPED)
other_secret("other-secret-empty-values", EMPTY_VALUES)
other_secret("other-secret-lines", MULTILINE)
other_secret("other-secret-path", SPACED_PATH)
other_secret("other-secret-escaped-path", ESCAPED_PATH)
other_secret("other-secret-port", PORT)
other_secret("other-secret-sha256", UPDATE.by("HMAC-SHA256"))
other_secret("other-secret-odd", UPDATE.using(**ODD_SECRETS))
other_secret("other-secret-plaintext", PHOTOS.by("PLAINTEXT"))
other_secret("other-secret-without-token", PHOTOS.using(token=None, token_secret=None))
other_secret("other-token-secret-get", PHOTOS, "token_secret")
other_secret("other-token-secret-form", UPDATE, "token_secret")
other_secret("other-token-secret-nested", NESTED, "token_secret")
other_secret("other-token-secret-bare", BARE, "token_secret")


@faulty("both-secrets-other", WRONG, on=[PHOTOS, UPDATE], expected="other key")
def both_secrets_other(s):
    s.consumer_secret, s.token_secret = OTHER, OTHER[::-1]


@faulty(
    "other-private-key",
    "It signs rightly with another private key.",
    on=[PHOTOS.by("RSA-SHA1"), JSON.by("RSA-SHA256")],
    expected="other key",
)
def other_private_key(s):
    name = hashes.SHA256 if s.algorithm.endswith("256") else hashes.SHA1
    s.digest = lambda key, text: private_key(1).sign(text, padding.PKCS1v15(), name())


@faulty(
    "other-secret-and-plus",
    "Another secret and + for the space; nothing can be proven.",
    on=get("https://api.example.com/v1/search?q=green%20eggs"),
    expected="other key",
)
def other_secret_and_plus(s):
    s.consumer_secret = OTHER
    s.encode = lambda text: encode(text, plus=True)


@faulty(
    "other-secret-and-http",
    "Another secret and http for https; nothing can be proven.",
    on=PHOTOS,
    expected="other key",
)
def other_secret_and_http(s):
    s.token_secret = OTHER
    s.put("scheme", "http")


@faulty("realm-differs", NONE, on=[PHOTOS, UPDATE], expected="same")
def realm_differs(s):
    s.realm = "Some other realm"


@faulty("realm-empty", NONE, on=PHOTOS, expected="same")
def realm_empty(s):
    s.realm = ""


@faulty("header-order", NONE, on=[PHOTOS, JSON.hashing()], expected="same")
def header_order(s):
    s.change("sent", lambda found: found[::-1])


@faulty("header-blanks", NONE, on=PHOTOS, expected="same")
def header_blanks(s):
    s.change("header", lambda text: text.replace(", ", " ,\t "))


@faulty("header-without-blanks", NONE, on=PHOTOS, expected="same")
def header_without_blanks(s):
    s.change("header", lambda text: text.replace(", ", ","))


@faulty("header-scheme-case", NONE, on=UPDATE, expected="same")
def header_scheme_case(s):
    s.change("header", lambda text: text.replace("OAuth ", "oauth ", 1))


@faulty("header-lower-case-escapes", NONE, on=PHOTOS, expected="same")
def header_lower_case_escapes(s):
    s.until(lambda text: "+" in text and "/" in text)
    s.change("header", lambda text: text.replace("%2B", "%2b").replace("%2F", "%2f").replace("%3D", "%3d"))


@faulty(
    "secret-padded-with-zeros",
    "HMAC pads a key with zero bytes; more of them are no difference.",
    on=PHOTOS,
    expected="same",
)
def secret_padded_with_zeros(s):
    s.change("key_bytes", lambda data: data + b"\0")


@faulty("right-get", NONE, on=[PHOTOS, BARE, PLAIN_HTTP, SPACED_PATH], expected="same")
def right_get(s):
    pass


@faulty("right-body", NONE, on=[UPDATE, JSON, MULTIPART, JSON.hashing().by("HMAC-SHA256")], expected="same")
def right_body(s):
    pass


@faulty("right-rsa", NONE, on=[PHOTOS.by("RSA-SHA1"), PHOTOS.by("RSA-SHA512")], expected="same")
def right_rsa(s):
    pass


@faulty("form-with-charset", NONE, on=UPDATE.sending(b"status=Hi%20all", FORM + "; charset=UTF-8"), expected="same")
def form_with_charset(s):
    pass


@faulty(
    "right-with-odd-secrets",
    NONE,
    on=[UPDATE.using(**ODD_SECRETS), ACCENTS.using(consumer_secret="schlüssel93k423")],
    expected="same",
)
def right_with_odd_secrets(s):
    pass
