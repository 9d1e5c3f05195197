"""Two faults at once, as one library has them; both have to be named."""

import base64
import hmac

from signers.faulty import faulty
from signers.sample import (
    JSON,
    ODD_SECRETS,
    PHOTOS,
    PORT,
    RESERVED,
    SPACES,
    UPDATE,
    get,
)
from signers.signer import encode

LINE_END = r"line (feed|end|break)|new ?line|\\n"
SCHEME = r"scheme|https?\b"


@faulty(
    "java-url-encoder",
    "java.net.URLEncoder: + for the space, and * as it is.",
    r"\+|plus|form|URLEncoder",
    r"\*|asterisk|star|URLEncoder",
    on=get("https://api.example.com/v1/search?q=wild%2A%20card%2Ff"),
)
def java_url_encoder(s):
    s.encode = lambda text: encode(text, plus=True, keep="*")


@faulty(
    "line-feed-and-star",
    "The consumer secret ends with a line feed, and ! is not encoded.",
    LINE_END,
    r"!|encodeURIComponent",
    on=UPDATE,
)
def line_feed_and_star(s):
    s.consumer_secret += "\n"
    s.encode = lambda text: encode(text, keep="!'()*")


@faulty(
    "quotes-and-form-not-signed",
    "The consumer secret is in quotation marks, and the form was not signed.",
    r"quot",
    r"(not sign|without|unsigned|left out)[^.]*(form|body)|(form|body)[^.]*(not sign|unsigned|left out)",
    on=UPDATE,
)
def quotes_and_form_not_signed(s):
    s.consumer_secret = f'"{s.consumer_secret}"'
    s.form = lambda: []


@faulty(
    "no-ampersand-and-query",
    "The key lacks its &, and the query was not signed.",
    r"&|ampersand",
    r"query|\bparameters?\b",
    on=PHOTOS.using(token=None, token_secret=None),
)
def no_ampersand_and_query(s):
    s.key = lambda: encode(s.consumer_secret)
    s.query = lambda: []


@faulty("http-and-port", "http was signed, and the port is missing.", SCHEME, r"port|:8443", on=PORT)
def http_and_port(s):
    s.put("scheme", "http")
    s.change("authority", lambda authority: authority.partition(":")[0])


@faulty(
    "not-sorted-and-secrets",
    "Nothing is sorted, and the secrets are not encoded.",
    r"sort|order",
    r"(secrets?|key)[^.]*encod|encod[^.]*(secrets?|key)",
    on=PHOTOS.using(**ODD_SECRETS),
)
def not_sorted_and_secrets(s):
    s.sort = lambda encoded: encoded
    s.key = lambda: s.consumer_secret + "&" + s.token_secret


@faulty(
    "brackets-and-values",
    "Brackets are not encoded, and values of one name are not sorted.",
    r"[\[\]]|bracket",
    r"sort|order",
    on=get("https://api.example.com/v1/items?ids%5B%5D=c%2Fd&ids%5B%5D=a%20b&page=1"),
)
def brackets_and_values(s):
    s.encode = lambda text: encode(text, keep="[]")
    s.sort = lambda encoded: sorted(encoded, key=lambda pair: pair[0])


@faulty("sha256-and-http", "HMAC-SHA256 under the name of HMAC-SHA1, and http.", r"SHA-?256", SCHEME, on=PHOTOS)
def sha256_and_http(s):
    s.put("scheme", "http")
    s.digest = lambda key, text: hmac.new(key, text, "sha256").digest()


@faulty(
    "json-and-line-feed",
    "The JSON was signed as a form, and the secret ends with a line feed.",
    r"json",
    LINE_END,
    on=JSON,
)
def json_and_line_feed(s):
    s.form = lambda: [(name, str(value)) for name, value in s.json().items()]
    s.consumer_secret += "\n"


@faulty(
    "encoded-twice-and-www",
    "The values are encoded twice, and the host has www. before it.",
    r"twice|double|again|decod",
    r"www|host",
    on=SPACES,
)
def encoded_twice_and_www(s):
    s.encode_value = lambda value: encode(encode(value))
    s.change("authority", lambda authority: "www." + authority)


@faulty(
    "encode-uri-component-and-path",
    "encodeURIComponent, and a slash added behind the path.",
    r"encodeURIComponent|!|\*",
    r"slash|/|path",
    on=RESERVED,
)
def encode_uri_component_and_path(s):
    s.encode = lambda text: encode(text, keep="!'()*")
    s.change("path", lambda path: path + "/")


@faulty(
    "hexadecimal-and-line-feed",
    "The Base64 of hexadecimal digits, and a secret with a line feed.",
    r"hex",
    LINE_END,
    on=PHOTOS,
)
def hexadecimal_and_line_feed(s):
    s.consumer_secret += "\n"
    s.signature = lambda: base64.b64encode(s.digest(s.key_bytes(), s.text_bytes()).hex().encode()).decode()
