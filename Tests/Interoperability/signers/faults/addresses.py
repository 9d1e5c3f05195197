"""The URL as a client, a framework or a gateway saw it."""

from signers.faulty import faulty
from signers.sample import BARE, DEEP, ESCAPED_PATH, LOCAL, PHOTOS, PLAIN_HTTP, PORT, SPACED_PATH, UPDATE, get
from signers.signer import decode, encode

SCHEME = r"scheme|https?\b|TLS|forwarded"
IDN = get("https://xn--mnchen-3ya.example/v1/photos?size=original")
MATRIX = get("https://api.example.com/v1/photos;size=big/list;page=2?q=1")
DOTS = get("https://api.example.com/v1/albums/../photos?size=original")
SLASHED = get("https://api.example.com/v1/photos/?size=original")
WWW = get("https://www.example.com/wp-json/wp/v2/posts?page=2")


@faulty("https-for-http", "https was signed; the request went by http.", SCHEME, on=PLAIN_HTTP)
def https_for_http(s):
    s.put("scheme", "https")


@faulty(
    "default-port-80-kept",
    "The default port 80 is kept in the address.",
    r"port|:80",
    source="https://github.com/r-lib/httr/pull/435",
    on=PLAIN_HTTP,
)
def default_port_80_kept(s):
    s.change("authority", lambda authority: authority + ":80")


@faulty(
    "port-dropped",
    "The port that is not the default one is missing in the address.",
    r"port|:8443|:8080",
    source="https://github.com/yahoo/TDOAuth/issues/3",
    on=[PORT, LOCAL],
)
def port_dropped(s):
    s.change("authority", lambda authority: authority.partition(":")[0])


@faulty("port-minus-one", "The port is -1, which Java's URI gives where there is none.", r"port|-1", on=PHOTOS)
def port_minus_one(s):
    s.change("authority", lambda authority: authority + ":-1")


@faulty("port-zero", "The port is 0 where there is none.", r"port|:0", on=BARE)
def port_zero(s):
    s.change("authority", lambda authority: authority + ":0")


@faulty("colon-without-port", "A colon without a port stands behind the host.", r"\bport\b|colon", on=PHOTOS)
def colon_without_port(s):
    s.change("authority", lambda authority: authority + ":")


@faulty("www-added", "The host was signed with www. before it.", r"www|host", on=PHOTOS)
def www_added(s):
    s.change("authority", lambda authority: "www." + authority)


@faulty(
    "www-dropped",
    "The host was signed without its www.",
    r"www|host",
    source="https://github.com/WP-API/OAuth1/issues/58",
    on=WWW,
)
def www_dropped(s):
    s.change("authority", lambda authority: authority.removeprefix("www."))


@faulty("trailing-dot", "The host ends with a dot.", r"\bdot|\bhost\b|full stop", on=PHOTOS)
def trailing_dot(s):
    s.change("authority", lambda authority: authority + ".")


@faulty(
    "user-information-kept",
    "The user information is kept in the address.",
    r"user|password|@|credential",
    on=get("https://al:secret@api.example.com/v1/photos?size=original"),
)
def user_information_kept(s):
    s.change("authority", lambda authority: "al:secret@" + authority)


@faulty(
    "scheme-missing",
    "The address has no scheme.",
    SCHEME,
    source="https://github.com/postmanlabs/postman-app-support/issues/123",
    on=PHOTOS,
)
def scheme_missing(s):
    s.address = lambda: s.authority() + s.path()


@faulty("path-only", "The address is the path only.", r"path|host|scheme|absolute|relative", on=PHOTOS)
def path_only(s):
    s.address = lambda: s.path()


@faulty(
    "path-and-query-only",
    "The address is the request target: path and query, without the host.",
    r"path|host|scheme|absolute|relative|target",
    on=PHOTOS,
)
def path_and_query_only(s):
    s.address = lambda: s.path() + "?" + s.request.parts.query


@faulty(
    "host-only",
    "The address has no path.",
    r"path|resource",
    source="https://github.com/Mastercard/insomnia-plugin-mastercard/issues/6",
    on=PHOTOS,
)
def host_only(s):
    s.address = lambda: f"{s.scheme()}://{s.authority()}"


@faulty("slash-added", "A slash was added behind the path.", r"slash|/|path", on=PHOTOS)
def slash_added(s):
    s.change("path", lambda path: path + "/")


@faulty(
    "slash-dropped",
    "The slash behind the path was dropped.",
    r"slash|/|path",
    source="https://github.com/dispatch/reboot/issues/75",
    on=SLASHED,
)
def slash_dropped(s):
    s.change("path", lambda path: path.rstrip("/"))


@faulty("slash-doubled", "Two slashes stand between host and path, from joining both.", r"slash|//|path", on=PHOTOS)
def slash_doubled(s):
    s.change("path", lambda path: "/" + path)


@faulty(
    "slashes-merged",
    "Two slashes in the path were merged.",
    r"slash|//|path|merg|collaps",
    on=get("https://api.example.com/v1//photos?size=original"),
)
def slashes_merged(s):
    s.change("path", lambda path: path.replace("//", "/"))


@faulty(
    "path-decoded",
    "The path was decoded before signing.",
    r"decod|path",
    source="https://github.com/oauthlib/oauthlib/issues/650",
    on=[SPACED_PATH, ESCAPED_PATH],
)
def path_decoded(s):
    s.change("path", lambda path: decode(path, plus=False))


@faulty(
    "path-encoded-twice",
    "The path was encoded once more.",
    r"path[^.]*(twice|double|again|second|once (more|too))|(twice|double)[^.]*path",
    source="https://github.com/Mastercard/oauth1-signer-java/issues/18",
    on=[ESCAPED_PATH, SPACED_PATH],
)
def path_encoded_twice(s):
    s.change("path", lambda path: encode(path, keep="/"))


@faulty("path-slash-decoded", "The %2F in the path was decoded.", r"%2F|slash|decod|path", on=ESCAPED_PATH)
def path_slash_decoded(s):
    s.change("path", lambda path: path.replace("%2F", "/"))


@faulty("path-plus", "The space in the path is written as +.", r"\+|plus|space", on=SPACED_PATH)
def path_plus(s):
    s.change("path", lambda path: path.replace("%20", "+"))


@faulty(
    "path-lower-case-escapes", "The escapes in the path were turned into lower case.", r"lower|case", on=SPACED_PATH
)
def path_lower_case_escapes(s):
    s.change("path", lambda path: path.replace("%C3%A9", "%c3%a9"))


@faulty(
    "path-unreserved-encoded",
    "The tilde in the path was encoded.",
    r"~|tilde|%7E|encod|path",
    on=get("https://api.example.com/~al/photos?size=original"),
)
def path_unreserved_encoded(s):
    s.change("path", lambda path: path.replace("~", "%7E"))


@faulty(
    "path-at-sign-encoded",
    "Characters that may stand in a path (@ :) were encoded.",
    r"@|reserved|encod|path",
    on=get("https://api.example.com/users/@me/urn:7?size=original"),
)
def path_at_sign_encoded(s):
    s.change("path", lambda path: encode(path, keep="/"))


@faulty(
    "path-at-sign-decoded",
    "The %40 in the path was decoded.",
    r"@|%40|decod|path",
    on=get("https://api.example.com/users/al%40example.com?size=original"),
)
def path_at_sign_decoded(s):
    s.change("path", lambda path: path.replace("%40", "@"))


@faulty(
    "prefix-added", "A prefix that the gateway takes off (/api) was signed.", r"prefix|path|/api|segment", on=PHOTOS
)
def prefix_added(s):
    s.change("path", lambda path: "/api" + path)


@faulty("last-segment-dropped", "The last segment of the path was not signed.", r"path|segment|last", on=DEEP)
def last_segment_dropped(s):
    s.change("path", lambda path: path.rpartition("/")[0])


@faulty(
    "template-unresolved",
    "The template of the path ({shopId}) was signed, not what was put in its place.",
    r"template|placeholder|\{|path",
    on=DEEP,
)
def template_unresolved(s):
    s.change("path", lambda path: path.replace("/7/", "/{shopId}/"))


@faulty(
    "matrix-dropped",
    "The matrix parameters (;size=big) were dropped from the path.",
    r"matrix|;size|semicolon|path param",
    on=MATRIX,
)
def matrix_dropped(s):
    s.path = lambda: "/v1/photos/list"


@faulty(
    "dot-segments-resolved", "The .. of the path was resolved before signing.", r"\.\.|dot|segment|path|resolv", on=DOTS
)
def dot_segments_resolved(s):
    s.put("path", "/v1/photos")


@faulty(
    "unicode-host",
    "The host was signed in its Unicode form, not as xn--.",
    r"IDN|punycode|xn--|international|unicode",
    on=IDN,
)
def unicode_host(s):
    s.put("authority", "münchen.example")


@faulty(
    "unicode-host-escaped",
    "The host was signed percent-encoded, not as xn--.",
    r"IDN|punycode|xn--|international|unicode",
    on=IDN,
)
def unicode_host_escaped(s):
    s.put("authority", "m%C3%BCnchen.example")


@faulty("extension-dropped", "The .json behind the path was dropped.", r"\.json|extension|suffix|path", on=UPDATE)
def extension_dropped(s):
    s.change("path", lambda path: path.removesuffix(".json"))


@faulty("method-get-for-post", "GET was signed; the request is a POST.", r"method|GET", on=UPDATE)
def method_get_for_post(s):
    s.put("verb", "GET")


@faulty(
    "method-overridden",
    "PUT was signed, which X-HTTP-Method-Override names; the request is a POST.",
    r"method|PUT",
    on=UPDATE,
)
def method_overridden(s):
    s.put("verb", "PUT")


@faulty(
    "turkish-host",
    "The host was turned into lower case by Turkish rules.",
    r"turk|locale|dotless|U\+0131|\bhost\b",
    on=get("https://API.EXAMPLE.COM/v1/photos?size=original"),
)
def turkish_host(s):
    s.put("authority", "apı.example.com")


@faulty(
    "seen-with-internal-port",
    "The server behind the gateway sees http and its own port 8080.",
    r"port|:8080",
    allowed=[SCHEME],
    source="https://github.com/pelle/oauth/issues/1",
    on=PHOTOS,
)
def seen_with_internal_port(s):
    s.see(url="http://api.example.com:8080/v1/photos?size=original&file=vacation.jpg")


@faulty(
    "seen-without-prefix",
    "The server behind the gateway does not see the prefix /api.",
    r"prefix|path|/api|segment",
    on=DEEP,
)
def seen_without_prefix(s):
    s.see(url="https://api.example.com/v2/shops/7/listings/active?limit=25")


@faulty("seen-with-decoded-path", "The server's framework gives the path decoded.", r"decod|encod|path", on=SPACED_PATH)
def seen_with_decoded_path(s):
    s.see(url="https://api.example.com/files/My Documents/résumé.txt?rev=3")


@faulty(
    "seen-with-loopback-host",
    "The server sees the host that the gateway asks it by, localhost.",
    r"\bhost\b|forwarded|localhost|authority",
    on=PHOTOS,
)
def seen_with_loopback_host(s):
    s.see(url=PHOTOS.request.url.replace("https://api.example.com", "https://localhost"))


@faulty("one-slash", "One slash stands behind the scheme, as joined paths have it.", r"slash", on=PHOTOS)
def one_slash(s):
    s.change("address", lambda address: address.replace("://", ":/"))


@faulty("forwarded-list", "The scheme is the whole list of X-Forwarded-Proto.", SCHEME, on=PHOTOS)
def forwarded_list(s):
    s.put("scheme", "https,http")


@faulty("www-for-api", "The host has www for api.", r"www|host", on=PHOTOS)
def www_for_api(s):
    s.put("authority", "www.example.com")


@faulty("middle-segment-lost", "A segment was lost where a base address was joined.", r"segment|path", on=DEEP)
def middle_segment_lost(s):
    s.change("path", lambda path: path.replace("/v2", ""))


@faulty(
    "method-capital",
    "The method was signed as Post, the name in an enumeration.",
    r"method|case",
    source="https://github.com/restsharp/RestSharp",
    on=UPDATE,
)
def method_capital(s):
    s.put("verb", "Post")
