"""Requests made at random as input lines of `paraph explain --batch`, and what RFC 5849's text makes of them."""

from . import rfc5849
from .verification import Received

FORM = "application/x-www-form-urlencoded"
PLAIN = "abcXYZ019-._~"
FORMS_OWN = "=&+;%20%26%3D%c3%a9%2f%2B%25:@!$'()*,/?"
AWKWARD = '[]"|^`{}<>\\é☃%z%'


def random_form(noise, awkward):
    pieces = [PLAIN, FORMS_OWN] + ([AWKWARD] if awkward else [])

    def word():
        text = "".join(noise.choice(noise.choice(pieces)) for _ in range(noise.randrange(6)))
        return text if awkward else "".join(_valid(text, noise))

    pairs = [
        noise.choice([f"{word()}={word()}", word(), f"a={word()}", "dup=1", "dup=0"]) for _ in range(noise.randrange(7))
    ]
    return "&".join(pairs)


def _valid(text, noise):
    """The same text with every `%` begun as a whole escape of ASCII."""
    for character in text:
        yield noise.choice(["%20", "%2F", "%2b", "%25", "%7e", "%41", "%C3%A9"]) if character == "%" else character


def random_input(noise, number, private_key, awkward):
    host = noise.choice(
        [
            "example.com",
            "EXAMPLE.com",
            "example.com:443",
            "example.com:80",
            "example.com:8080",
            "127.0.0.1:1",
            "a.b-c.example",
        ]
    )
    path = noise.choice(["", "/", "/a/b", "/a%20b/%c3%a9", "/a%2Fb", "/x;v=1/y", "/~user/", "/a+b&c=d", "/a//b/../c"])
    query = noise.choice(["", "?"]) and "?" + random_form(noise, awkward)
    method = noise.choice(
        ["HMAC-SHA1"] * 4
        + ["HMAC-SHA256", "HMAC-SHA512", "PLAINTEXT"]
        + (["RSA-SHA1", "RSA-SHA256", "RSA-SHA512"] if number % 20 == 0 else [])
    )
    line = {
        "method": noise.choice(["GET", "POST", "PUT", "DELETE", "PATCH", "post", "X-OWN"]),
        "url": f"{noise.choice(['http', 'https', 'HTTPS'])}://{host}{path}{query}",
        "consumer_key": noise.choice(["key", "k e+y/=", "ключ", "a%20b"]),
        "consumer_secret": noise.choice(["", "secret", "s&c %+", "密"]),
        "nonce": f"n{number}",
        "timestamp": noise.choice([number, 1700000000 + number]),
        "signature_method": method,
    }
    if method.startswith("RSA"):
        line["private_key"] = private_key
    if noise.random() < 0.7:
        line |= {"token": noise.choice(["", "token", "t/o+k=&"]), "token_secret": noise.choice(["", "ts", "t s&%"])}
    if noise.random() < 0.5:
        line |= {
            "content_type": noise.choice([FORM, FORM + "; charset=utf-8", FORM.upper(), "text/plain"]),
            "body": random_form(noise, awkward),
        }
    if noise.random() < 0.2:
        line["realm"] = noise.choice(["Photos", "", 'with "quotes" and \\'])
    if noise.random() < 0.2:
        line["extra"] = {"oauth_callback": noise.choice(["oob", "http://example.com/cb?a=1&b=2", "é"])}
    if noise.random() < 0.2:
        line["include_version"] = noise.choice([True, False])
    if noise.random() < 0.1:
        line["host"] = noise.choice(["other.example", "Other.Example:8443"])
    return line


def reference(line):
    """Normalized parameters, base string and the request as a provider would receive it, by the RFC's text."""
    scheme, _, rest = line["url"].partition("://")
    end = min([i for i in (rest.find("/"), rest.find("?")) if i >= 0], default=len(rest))
    authority, target = rest[:end].encode(), rest[end:].encode()
    host = line["host"].encode() if "host" in line else authority
    path, _, query = target.partition(b"?")
    content_type = line.get("content_type", "").encode() or None
    body = line.get("body", "").encode()
    form = body if rfc5849.is_form(content_type) else b""
    parameters = {
        "oauth_consumer_key": line["consumer_key"],
        "oauth_signature_method": line["signature_method"],
        "oauth_timestamp": str(line["timestamp"]),
        "oauth_nonce": line["nonce"],
        **line.get("extra", {}),
    }
    if "token" in line:
        parameters["oauth_token"] = line["token"]
    if line.get("include_version", True):
        parameters["oauth_version"] = "1.0"
    pairs = [(n.encode(), v.encode()) for n, v in parameters.items()]
    everything = [p for p in rfc5849.form_pairs(query) + rfc5849.form_pairs(form) + pairs if p[0] != b"oauth_signature"]
    normalized = rfc5849.normalize(everything)
    base = rfc5849.base_string(
        line["method"].encode(), rfc5849.base_uri(scheme.lower().encode(), host, path), normalized
    )
    return (
        parameters,
        normalized,
        base,
        Received(
            line["method"].encode(),
            scheme.lower().encode(),
            host,
            (path or b"/") + (b"?" + query if query else b""),
            None,
            content_type,
            body,
        ),
        query,
        form,
    )
