"""Other orders of the parameters."""

import re
import unicodedata

from signers.faulty import faulty
from signers.sample import BRACKETS, CASES, NUMBERED, PHOTOS, UPDATE, get
from signers.signer import decode

PREFIXED = get("https://api.example.com/v1/items?org-country=US&org=acme&org1=z")
ORDER = r"sort|order"
OAUTH = "oauth_"


@faulty(
    "sorted-before-encoding",
    "The parameters are sorted before they are encoded.",
    r"before|decoded|unencoded|raw",
    source="https://github.com/joestump/python-oauth2/issues/75",
    on=get("https://api.example.com/v1/items?a%7Eb=1&a%2Cb=2&a%5Bb=3&aAb=4"),
)
def sorted_before_encoding(s):
    s.sort = lambda encoded: sorted(encoded, key=lambda pair: (decode(pair[0]), decode(pair[1])))


@faulty(
    "sorted-as-pairs",
    "The pairs name=value are sorted as whole strings, not by name.",
    r"name=value|whole|pair|=",
    source="https://github.com/javaee/jersey/issues/1105",
    on=[PREFIXED, NUMBERED],
)
def sorted_as_pairs(s):
    s.sort = lambda encoded: sorted(encoded, key="=".join)


@faulty(
    "sorted-by-locale",
    "The parameters are sorted by the rules of a language (localeCompare).",
    r"locale|language|collat|case|culture",
    source="https://github.com/duosecurity/duo_api_nodejs/pull/5",
    on=CASES,
)
def sorted_by_locale(s):
    s.sort = lambda encoded: sorted(encoded, key=lambda pair: (pair[0].lower(), pair[0].swapcase(), pair[1]))


@faulty(
    "sorted-by-locale-punctuation",
    "The parameters are sorted by a locale that ignores - and _.",
    r"locale|language|collat|punctuation|culture|ignor",
    on=get("https://api.example.com/v1/items?ip_whitelist_enroll=1&ip_whitelist=2&ip-whitelisted=3&ipa=4"),
)
def sorted_by_locale_punctuation(s):
    s.sort = lambda encoded: sorted(encoded, key=lambda pair: (re.sub("[-_]", "", pair[0]), pair[0], pair[1]))


@faulty(
    "sorted-by-locale-accents",
    "Letters with accents are sorted beside those without, as a locale has it.",
    r"locale|language|collat|accent|culture|before|decoded|unencoded",
    on=get("https://api.example.com/v1/items?abend=1&%C3%A4lter=9&zoe=2"),
)
def sorted_by_locale_accents(s):
    def key(pair):
        return unicodedata.normalize("NFD", decode(pair[0])).encode("ascii", "ignore"), pair[1]

    s.sort = lambda encoded: sorted(encoded, key=key)


@faulty(
    "not-sorted-protocol-last",
    "The parameters are not sorted: those of the request stand before the protocol's.",
    ORDER,
    source="https://github.com/Mastercard/oauth1-signer-nodejs/issues/3",
    on=PHOTOS,
)
def not_sorted_protocol_last(s):
    s.parameters = lambda: s.application() + s.signed_protocol()
    s.sort = lambda encoded: encoded


@faulty(
    "sorted-in-two-groups",
    "The protocol's parameters are sorted, and behind them those of the request.",
    ORDER,
    on=UPDATE,
)
def sorted_in_two_groups(s):
    s.sort = lambda encoded: sorted(encoded, key=lambda pair: (not pair[0].startswith(OAUTH), pair))


@faulty(
    "sorted-request-first",
    "The request's parameters are sorted, and behind them those of the protocol.",
    ORDER,
    on=PHOTOS,
)
def sorted_request_first(s):
    s.sort = lambda encoded: sorted(encoded, key=lambda pair: (pair[0].startswith(OAUTH), pair))


@faulty(
    "values-not-sorted-brackets",
    "Elements of an array are left in the order of the request.",
    r"values?[^.]*(sort|order)|(sort|order)[^.]*values?|same name",
    on=BRACKETS,
)
def values_not_sorted_brackets(s):
    s.sort = lambda encoded: sorted(encoded, key=lambda pair: pair[0])


@faulty(
    "sorted-by-number",
    "Names with numbers are sorted by the number (2 before 10).",
    r"number|numeric|natural",
    source="https://github.com/woocommerce/wc-api-php/pull/278",
    on=get("https://api.example.com/v1/items?f%5B10%5D=d&f%5B2%5D=c&f%5B0%5D=a&f%5B1%5D=b&page=1"),
)
def sorted_by_number(s):
    def key(pair):
        return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", decode(pair[0]))]

    s.sort = lambda encoded: sorted(encoded, key=key)


@faulty("sorted-by-length", "The parameters are sorted by the length of their names.", ORDER, on=PHOTOS)
def sorted_by_length(s):
    s.sort = lambda encoded: sorted(encoded, key=lambda pair: (len(pair[0]), pair))


@faulty(
    "template-order",
    "The parameters stand in the fixed order of a template, the signature method first.",
    ORDER,
    source="https://salesforce.stackexchange.com/questions/97646/oauth-signature-generation",
    on=PHOTOS,
)
def template_order(s):
    wanted = [
        "oauth_version",
        "oauth_nonce",
        "oauth_timestamp",
        "oauth_consumer_key",
        "oauth_token",
        "oauth_signature_method",
    ]
    s.sort = lambda encoded: sorted(encoded, key=lambda p: wanted.index(p[0]) if p[0] in wanted else len(wanted))
