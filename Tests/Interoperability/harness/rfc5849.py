"""RFC 5849's base string, computed on bytes from the text of the RFC.

It stands beside oauthlib, which refuses or alters some of what clients really send (see verification.py).
"""

import re

UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
FORM = b"application/x-www-form-urlencoded"


class Malformed(Exception):
    """The request breaks a rule of RFC 5849 (or of the RFCs it stands on)."""


def encode(data):
    """Percent-encoding (RFC 5849, section 3.6)."""
    if isinstance(data, str):
        data = data.encode()
    return "".join(chr(o) if o in UNRESERVED else f"%{o:02X}" for o in data)


def decode(data, plus=False):
    """Percent-decoding; a `%` that begins no escape stands for itself. With `plus`, `+` is a space (forms)."""
    if plus:
        data = data.replace(b"+", b" ")
    return re.sub(rb"%([0-9A-Fa-f]{2})", lambda m: bytes([int(m.group(1), 16)]), data)


def form_pairs(data):
    """The decoded pairs of a query or a form body (RFC 5849, section 3.4.1.3.1); empty segments stand for nothing."""
    pairs = []
    for segment in data.split(b"&"):
        if segment:
            left, _, right = segment.partition(b"=")
            pairs.append((decode(left, plus=True), decode(right, plus=True)))
    return pairs


def is_form(content_type):
    return content_type is not None and content_type.split(b";")[0].strip().lower() == FORM


def normalize(pairs):
    """RFC 5849, section 3.4.1.3.2: encoded first, then sorted by name, then by value."""
    return "&".join(f"{n}={v}" for n, v in sorted((encode(n), encode(v)) for n, v in pairs))


def base_uri(scheme, host, path):
    """The base string URI (RFC 5849, section 3.4.1.2). `host` is the Host field's value, `path` as it was sent."""
    host = host.lower()
    default = {b"http": b":80", b"https": b":443"}[scheme]
    for suffix in (default, b":"):
        if host.endswith(suffix):
            host = host[: -len(suffix)]
    return scheme + b"://" + host + (path or b"/")


def base_string(method, uri, normalized):
    """The base string (RFC 5849, section 3.4.1.1)."""
    return f"{encode(method.upper())}&{encode(uri)}&{encode(normalized)}"


QUOTED = re.compile(rb'"((?:[^"\\]|\\.)*)"')
TOKEN = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")


def parse_authorization(value):
    """The protocol parameters of an `OAuth` Authorization value, decoded, and the realm (None when absent).

    Strict (RFC 5849, section 3.5.1): every value quoted and encoded exactly as section 3.6 says, no parameter twice.
    """
    if not value[:6].lower() == b"oauth ":
        raise Malformed("the scheme is not OAuth")
    rest, pairs, realm = value[6:].strip(b" \t"), [], None
    while True:
        found = TOKEN.match(rest)
        if not found or rest[found.end() : found.end() + 1] != b"=":
            raise Malformed(f"no parameter at {rest[:20]!r}")
        raw_name, rest = found.group(), rest[found.end() + 1 :]
        found = QUOTED.match(rest)
        if not found:
            raise Malformed(f"the value of {raw_name!r} is not quoted")
        raw, rest = found.group(1), rest[found.end() :].strip(b" \t")
        if raw_name.lower() == b"realm":
            if realm is not None or pairs:
                raise Malformed("realm is not first, or there are two")
            realm = re.sub(rb"\\(.)", rb"\1", raw)
        else:
            for part in (raw_name, raw):
                if encode(decode(part)).encode() != part:
                    raise Malformed(f"{part!r} is not encoded as section 3.6 says")
            pairs.append((decode(raw_name), decode(raw)))
        if not rest:
            break
        if rest[:1] != b",":
            raise Malformed(f"no comma at {rest[:20]!r}")
        rest = rest[1:].strip(b" \t")
    names = [n for n, _ in pairs]
    if len(names) != len(set(names)):
        raise Malformed("a protocol parameter appears twice")
    return pairs, realm
