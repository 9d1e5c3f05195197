"""Timestamps, and parameters of the protocol that are signed otherwise than sent."""

from signers.faulty import faulty
from signers.sample import BARE, PHOTOS, UPDATE
from signers.signer import encode

CALLBACK = BARE.using(token=None, token_secret=None).adding(("oauth_callback", "https://app.example/back?a=1"))
VERIFIER = BARE.adding(("oauth_verifier", "473f82d3"))


def signing(s, name, value):
    """Signs a value of a parameter of the protocol that is not sent; none leaves it out."""

    def changed(found):
        rest = [pair for pair in found if pair[0] != name]
        return rest if value is None else [*rest, (name, value)]

    s.change("signed_protocol", changed)


@faulty(
    "timestamp-milliseconds",
    "oauth_timestamp is in milliseconds.",
    r"millisecond|\bms\b|thousand",
    source="https://github.com/DotNetOpenAuth/DotNetOpenAuth/issues/322",
    on=[PHOTOS, UPDATE],
)
def timestamp_milliseconds(s):
    s.timestamp += "123"


@faulty("timestamp-microseconds", "oauth_timestamp is in microseconds.", r"microsecond|µs|\bus\b|million", on=PHOTOS)
def timestamp_microseconds(s):
    s.timestamp += "123456"


@faulty(
    "timestamp-nanoseconds",
    "oauth_timestamp is in nanoseconds, as Go's UnixNano gives it.",
    r"nanosecond|\bns\b|billion",
    on=PHOTOS,
)
def timestamp_nanoseconds(s):
    s.timestamp += "123456789"


@faulty(
    "timestamp-float",
    "oauth_timestamp is written as 1764230400.0.",
    r"fraction|decimal|whole|integer|digits|point",
    on=PHOTOS,
)
def timestamp_float(s):
    s.timestamp += ".0"


@faulty(
    "timestamp-exponent",
    "oauth_timestamp is written with an exponent.",
    r"exponent|scientific|whole|integer|digits|number",
    on=PHOTOS,
)
def timestamp_exponent(s):
    s.timestamp = "1.7642304e+09"


@faulty(
    "timestamp-date",
    "oauth_timestamp is a date, not a number of seconds.",
    r"date|ISO|seconds|whole|integer|digits|number",
    on=PHOTOS,
)
def timestamp_date(s):
    s.timestamp = "2025-11-27T08:00:00Z"


@faulty(
    "timestamp-line-end",
    "oauth_timestamp ends with a line end, as `date +%s` writes it.",
    r"line (feed|end|break)|new ?line|white ?space|whole|integer|digits|number",
    on=PHOTOS,
)
def timestamp_line_end(s):
    s.timestamp += "\n"


@faulty("version-not-signed", "oauth_version is sent, and not signed.", r"oauth_version", on=[PHOTOS, UPDATE])
def version_not_signed(s):
    signing(s, "oauth_version", None)


@faulty("version-signed-not-sent", "oauth_version is signed, and not sent.", r"oauth_version", on=PHOTOS)
def version_signed_not_sent(s):
    s.version = None
    signing(s, "oauth_version", "1.0")


@faulty("token-not-signed", "oauth_token is sent, and not signed.", r"oauth_token|the token", on=PHOTOS)
def token_not_signed(s):
    signing(s, "oauth_token", None)


@faulty(
    "callback-not-encoded",
    "oauth_callback was signed without being encoded first.",
    r"oauth_callback|callback|encod",
    source="https://github.com/restsharp/RestSharp/issues/1437",
    on=CALLBACK,
)
def callback_not_encoded(s):
    s.encode_value = lambda value: value if "://" in value else encode(value)


@faulty(
    "callback-encoded-twice",
    "oauth_callback was encoded twice.",
    r"oauth_callback|callback|encod",
    source="https://github.com/dispatch/reboot/issues/75",
    on=CALLBACK,
)
def callback_encoded_twice(s):
    s.encode_value = lambda value: encode(encode(value))


@faulty("verifier-not-signed", "oauth_verifier is sent, and not signed.", r"oauth_verifier|verifier", on=VERIFIER)
def verifier_not_signed(s):
    signing(s, "oauth_verifier", None)


@faulty(
    "token-encoded-twice",
    "oauth_token has characters to encode, and was encoded twice.",
    r"token|twice|double|again|encod",
    on=PHOTOS.using(token="nn/ch+73=="),
)
def token_encoded_twice(s):
    signing(s, "oauth_token", encode(s.token))


@faulty(
    "consumer-key-not-encoded",
    "oauth_consumer_key has characters to encode, and was signed without being encoded.",
    r"consumer.?key|encod",
    source="https://github.com/restsharp/RestSharp/issues/1654",
    on=PHOTOS.using(consumer_key="Consumer+Key/43=="),
)
def consumer_key_not_encoded(s):
    s.encode_value = lambda value: value if value == s.consumer_key else encode(value)


@faulty(
    "method-name-in-lower-case",
    "oauth_signature_method was signed in lower case.",
    r"oauth_signature_method|signature method|lower|case",
    on=PHOTOS,
)
def method_name_in_lower_case(s):
    signing(s, "oauth_signature_method", "hmac-sha1")


@faulty(
    "method-name-with-underscore",
    "oauth_signature_method was signed as HMAC_SHA1.",
    r"oauth_signature_method|signature method|underscore",
    on=PHOTOS,
)
def method_name_with_underscore(s):
    signing(s, "oauth_signature_method", "HMAC_SHA1")


@faulty(
    "empty-signature-signed",
    "An empty oauth_signature is among the signed parameters.",
    r"oauth_signature\b",
    source="https://github.com/guzzle/oauth-subscriber/pull/100",
    on=PHOTOS,
)
def empty_signature_signed(s):
    s.change("signed_protocol", lambda found: [*found, ("oauth_signature", "")])


@faulty("nonce-plus-as-space", "The + of the nonce was signed as a blank.", r"nonce|\+|plus|space|blank", on=PHOTOS)
def nonce_plus_as_space(s):
    s.nonce = "a+b/c=="
    signing(s, "oauth_nonce", "a b/c==")


@faulty(
    "token-secret-signed",
    "The token secret is among the signed parameters.",
    r"oauth_token_secret|token.?secret",
    on=PHOTOS,
)
def token_secret_signed(s):
    s.change("signed_protocol", lambda found: [*found, ("oauth_token_secret", s.token_secret)])


@faulty("nonce-not-signed", "oauth_nonce is sent, and not signed.", r"nonce", on=PHOTOS)
def nonce_not_signed(s):
    signing(s, "oauth_nonce", None)


@faulty(
    "bare-names",
    "The protocol's parameters were signed without the oauth_ before their names.",
    r"without[^.]*oauth_|prefix|\bnames?\b",
    on=PHOTOS,
)
def bare_names(s):
    s.change("signed_protocol", lambda found: [(name.removeprefix("oauth_"), value) for name, value in found])


@faulty("timestamp-from-2001", "oauth_timestamp is counted from 2001, as Apple's reference date is.", r"2001", on=PHOTOS)
def timestamp_from_2001(s):
    s.timestamp = str(int(s.timestamp) - 978307200)


@faulty("timestamp-minutes", "oauth_timestamp is in minutes.", r"minute", on=PHOTOS)
def timestamp_minutes(s):
    s.timestamp = str(int(s.timestamp) // 60)


@faulty("timestamp-ticks", "oauth_timestamp is in ticks of .NET.", r"tick", on=PHOTOS)
def timestamp_ticks(s):
    s.timestamp = str((int(s.timestamp) + 62135596800) * 10000000)
