"""What a careless provider says when it refuses: a secret within its reach, in the style and the dialect at hand."""

import base64
import html
import json
from dataclasses import dataclass

from .canaries import UNRESERVED, percent


@dataclass
class Reply:
    """An answer in the provider's words. `raw` is sent instead of a message, and the connection closed."""

    status: int = 200
    body: str = ""
    content_type: str = "text/html; charset=utf-8"
    fields: tuple = ()
    reason: str = "Said"
    raw: bytes | None = None


def escaped_for_json(text):
    return "".join(f"\\u{ord(c):04x}" for c in text)


STYLES = {
    "as it is": str,
    "percent-encoded": lambda s: percent(s.encode(), "X", UNRESERVED).decode(),
    "percent-encoded in lower case": lambda s: percent(s.encode(), "x", UNRESERVED).decode(),
    "percent-encoded twice": lambda s: percent(s.encode(), "X", UNRESERVED).decode().replace("%", "%25"),
    "percent-encoded to the last byte": lambda s: percent(s.encode()).decode(),
    "in base64": lambda s: base64.b64encode(s.encode()).decode(),
    "in base64 for URLs": lambda s: base64.urlsafe_b64encode(s.encode()).decode().rstrip("="),
    "in JSON": lambda s: json.dumps(s)[1:-1],
    "escaped for JSON": escaped_for_json,
    "escaped for HTML": html.escape,
}


def as_json(status, value, **options):
    return Reply(status, json.dumps(value), "application/json", **options)


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def sanitized(text):
    """As a field's value can carry it."""
    return "".join(c if " " <= c <= "~" else "?" for c in text)


# Each takes what is echoed. The refusals that Paraph reads, as the providers word them.
DIALECTS = {
    "Problem Reporting in the body": lambda s: Reply(
        401, f"oauth_problem=signature_invalid&oauth_problem_advice={s}&debug_secret={s}", "text/plain"
    ),
    "Problem Reporting in a field": lambda s: Reply(
        401,
        "no",
        fields=(
            (
                "WWW-Authenticate",
                f"OAuth realm={quoted(sanitized(s))}, oauth_problem=token_rejected, "
                f"oauth_problem_advice={quoted(sanitized(s))}",
            ),
        ),
    ),
    "an unknown problem": lambda s: Reply(401, f"oauth_problem={s}", "application/x-www-form-urlencoded"),
    "absent parameters": lambda s: Reply(
        400, f"oauth_problem=parameter_absent&oauth_parameters_absent={s}&oauth_acceptable_timestamps={s}"
    ),
    "X's JSON": lambda s: as_json(401, {"errors": [{"code": 32, "message": f"Could not authenticate you {s}"}]}),
    "X's JSON of now": lambda s: as_json(403, {"title": s, "detail": s, "type": s, "status": 403}),
    "X's XML": lambda s: Reply(
        401, f'<?xml version="1.0"?><errors><error code="89">Invalid token {s}</error></errors>', "application/xml"
    ),
    "X's XML of old": lambda s: Reply(
        401, f"<hash><error>Invalid / expired Token {s}</error><request>/x?t={s}</request></hash>", "application/xml"
    ),
    "plain words": lambda s: Reply(401, f"Failed to validate oauth signature and token {s}", "text/plain"),
    "a page": lambda s: Reply(401, f"<html><title>{s}</title><p>Invalid signature: expected {s}</p></html>"),
    "Magento": lambda s: as_json(
        401, {"message": f"oauth_problem=signature_invalid {s}", "parameters": {"secret": s}, "trace": s}
    ),
    "Magento 1": lambda s: as_json(
        401, {"messages": {"error": [{"code": 401, "message": f"oauth_problem=signature_invalid&debug_sbs={s}"}]}}
    ),
    "Mastercard": lambda s: as_json(
        401,
        {"Errors": {"Error": [{"Source": s, "ReasonCode": "AUTHENTICATION_FAILED", "Description": s, "Details": s}]}},
    ),
    "Flickr": lambda s: as_json(200, {"stat": "fail", "code": 96, "message": f"Invalid signature {s}"}),
    "Flickr's base string": lambda s: Reply(
        401, f"oauth_problem=signature_invalid&debug_sbs=GET&https%3A%2F%2Fsigned.test.example%2F{s}&a%3D{s}"
    ),
    "NetSuite": lambda s: as_json(
        401,
        {"error": {"code": "INVALID_LOGIN_ATTEMPT", "message": f"Invalid login attempt. {s}"}},
        fields=(("WWW-Authenticate", f'OAuth realm={quoted(sanitized(s))}, error="token_rejected"'),),
    ),
    "WooCommerce": lambda s: as_json(
        401, {"code": "woocommerce_rest_authentication_error", "message": s, "data": {"status": 401}}
    ),
    "bearer": lambda s: Reply(
        401,
        "",
        fields=(
            (
                "WWW-Authenticate",
                f"Bearer realm={quoted(sanitized(s))}, error=invalid_token, "
                f"error_description={quoted(sanitized(s))}, error_uri={quoted(sanitized(s))}",
            ),
        ),
    ),
    "Facebook": lambda s: as_json(
        400, {"error": {"message": f"Invalid OAuth access token {s}", "type": "OAuthException", "code": 190}}
    ),
    "OAuth 2": lambda s: as_json(400, {"error": "invalid_grant", "error_description": s, "error_uri": s}),
    "OAuth 2 with a word of its own": lambda s: as_json(401, {"error": s, "error_description": s}),
    "OAuth 2, the client": lambda s: as_json(401, {"error": "invalid_client", "error_description": s}),
    "a permission": lambda s: as_json(403, {"error": {"code": 200, "message": s}}),
    "a failure": lambda s: Reply(500, f"Exception: could not check {s}\n  at oauth.verify({s})", "text/plain"),
    "too many": lambda s: Reply(429, f"slow down {s}", "text/plain", fields=(("Retry-After", sanitized(s)),)),
    "a reason phrase": lambda s: Reply(401, "", reason=sanitized(s)),
    "a redirect elsewhere": lambda s: Reply(
        302,
        f'<a href="https://elsewhere.example/?secret={s}">moved</a>',
        fields=(("Location", f"https://elsewhere.example/{sanitized(s).replace(' ', '+')}?oauth_token_secret=x"),),
    ),
    "fields of its own": lambda s: Reply(
        401, "", fields=(("X-Debug", sanitized(s)), ("Set-Cookie", f"s={sanitized(s)}"), ("Server", sanitized(s)))
    ),
    "bytes that are no message": lambda s: Reply(raw=f"{s} is not HTTP\r\n\r\n".encode()),
    "a broken field": lambda s: Reply(
        raw=f"HTTP/1.1 401 no\r\nX Secret {s}\r\n: {s}\r\nContent-Length: 0\r\n\r\n".encode()
    ),
    "a broken chunk": lambda s: Reply(
        raw=f"HTTP/1.1 401 no\r\nTransfer-Encoding: chunked\r\n\r\n{s}\r\n0\r\n\r\n".encode()
    ),
    "a broken length": lambda s: Reply(raw=f"HTTP/1.1 401 no\r\nContent-Length: {s}\r\n\r\n".encode()),
}

# Answers of success that bring nothing usable, for whoever asks for a token. `n` is a secret that nobody had yet: it is
# known by its name alone, and so never stands without one here.
EMPTY_HANDED = {
    "a page instead of a token": lambda s, n: Reply(200, f"<html><p>Welcome, {s}</p><!-- {s} --></html>"),
    "a token without its secret": lambda s, n: Reply(200, f"oauth_token=t-1&error={s}"),
    "a secret without its token": lambda s, n: Reply(200, f"oauth_token_secret={n}&error={s}"),
    "a token twice": lambda s, n: Reply(200, f"oauth_token=a&oauth_token=b&oauth_token_secret={n}&x={s}"),
    "a token under other names": lambda s, n: as_json(200, {"data": {"access_token": n, "client_secret": s}}),
    "an empty token": lambda s, n: as_json(200, {"access_token": "", "refresh_token": n, "note": s}),
    "a token of a type of its own": lambda s, n: as_json(
        200, {"access_token": n, "token_type": f"mac {s}", "mac_key": n}
    ),
    "a token that no field carries": lambda s, n: as_json(200, {"access_token": n + " \n", "token_type": "bearer"}),
    "a life of nonsense": lambda s, n: as_json(200, {"error": s, "expires_in": s, "refresh_token": n}),
    "JSON that is cut off": lambda s, n: Reply(200, f'{{"refresh_token":"{n}","access_token":"{s}', "application/json"),
    "a list": lambda s, n: as_json(200, [s, {"access_token": n}]),
    "bytes that are no text": lambda s, n: Reply(200, f"\x00\x01{s}\x7f{s}", "application/octet-stream"),
    "another kind of success": lambda s, n: Reply(202, f"oauth_token_secret={n}&later={s}"),
    "an endless answer": lambda s, n: Reply(200, f"{s} " * 20000, "text/plain"),
}
