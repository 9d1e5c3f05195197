"""The requests on which the faults show, and the credentials that sign them."""

import functools
from dataclasses import dataclass, replace

from cryptography.hazmat.primitives.asymmetric import rsa

from signers.signer import FORM, Credentials, Request, Signer


@functools.cache
def private_key(number=0):
    """One of the RSA keys of this process; they are not the same in the next."""
    return rsa.generate_private_key(65537, 2048)


@dataclass(frozen=True)
class Sample:
    """A request with all that a right signer needs."""

    request: Request
    credentials: Credentials = Credentials()
    algorithm: str = "HMAC-SHA1"
    body_hash: bool = False
    extra: tuple = ()

    def signer(self):
        credentials = self.credentials
        if self.algorithm.startswith("RSA"):
            credentials = replace(credentials, private_key=private_key())
        return Signer(self.request, credentials, self.algorithm, self.body_hash, self.extra)

    def by(self, algorithm):
        return replace(self, algorithm=algorithm)

    def using(self, **changed):
        return replace(self, credentials=replace(self.credentials, **changed))

    def hashing(self):
        return replace(self, body_hash=True)

    def adding(self, *extra):
        return replace(self, extra=extra)

    def at(self, url):
        return replace(self, request=replace(self.request, url=url))

    def sending(self, body, content_type=FORM):
        return replace(self, request=replace(self.request, body=body, content_type=content_type))


def get(url, **given):
    return Sample(Request("GET", url), **given)


def post(url, body, content_type=FORM, method="POST", **given):
    return Sample(Request(method, url, body, content_type), **given)


BARE = get("https://api.example.com/v1/account")
PHOTOS = get("https://api.example.com/v1/photos?size=original&file=vacation.jpg")
UPDATE = post(
    "https://api.example.com/1.1/statuses/update.json?include_entities=true",
    b"status=Hello%20Ladies%20%2B%20Gentlemen%2C%20a%20signed%20OAuth%20request%21",
)
ACCENTS = get("https://api.example.com/v1/people?name=Jos%C3%A9%20M%C3%BCller&city=K%C3%B6ln")
ACCENTS_FORM = post("https://api.example.com/v1/people", b"name=Jos%C3%A9+M%C3%BCller&city=K%C3%B6ln&page=2")
TYPOGRAPHIC = get("https://api.example.com/v1/notes?title=%E2%80%9CHi%E2%80%9D%20for%20%E2%82%AC5")
JAPANESE = get("https://api.example.com/v1/search?q=%E5%86%99%E8%BC%AA%E7%9C%BC&lang=ja")
CYRILLIC = get("https://api.example.com/v1/search?q=%D0%9F%D1%80%D0%B8%D0%B2%D0%B5%D1%82&lang=ru")
EMOJI = post("https://api.example.com/v1/statuses", b"status=Good%20%F0%9F%98%80%20morning")
RESERVED = get("https://api.example.com/v1/search?q=a%2Ab%28c%29%21%27d~e&path=%2Fx%3Ay%40z&n=%5B1%2C2%5D")
SPACES = get("https://api.example.com/v1/search?q=green%20eggs%20and%20ham&lang=en")
PLUSES = get("https://api.example.com/v1/search?q=green+eggs%2Bham&lang=en")
PERCENT = get("https://api.example.com/v1/search?q=100%25&ratio=%2520&lang=en")
REPEATED = get("https://api.example.com/v1/items?tag=red&tag=blue&page=1")
REPEATED_FORM = post("https://api.example.com/v1/items", b"tag=red&tag=blue&page=1")
INDEXED = get("https://api.example.com/v1/items?filter%5B0%5D=red&filter%5B1%5D=blue&page=1")
BRACKETS = get("https://api.example.com/v1/items?ids%5B%5D=7&ids%5B%5D=3&page=1")
NESTED = get("https://api.example.com/v1/orders?filter%5Blimit%5D=9&filter%5Bafter%5D=2015-12-22&page=1&status=on-hold")
TYPED = get("https://api.example.com/v1/items?active=true&hidden=false&page=1")
EMPTY_VALUES = get("https://api.example.com/v1/items?active&note=&page=1")
CASES = post("https://api.example.com/v1/albums", b"Title=Summer&category=7&zone=a&Album=b")
NUMBERED = get("https://api.example.com/v1/items?id_10=c&id_2=b&id_1=a&id=z&id-x=y")
MULTILINE = post("https://api.example.com/v1/comments", b"text=first%0D%0Asecond%0D%0Athird&id=7")
UNIX_LINES = post("https://api.example.com/v1/comments", b"text=first%0Asecond%0Athird&id=7")
PADDED = post("https://api.example.com/v1/comments", b"text=%20%20indented%20%20&id=7")
MARKUP = post("https://api.example.com/v1/comments", b"text=%3Cb%3EFish%20%26%20%22chips%22%3C%2Fb%3E&id=7")
JSON = post("https://api.example.com/v1/orders?dry_run=1", b'{"name": "Al", "qty": 2, "to": "a/b"}', "application/json")
ACCENTED_JSON = post("https://api.example.com/v1/orders", '{"name": "José", "qty": 2}'.encode(), "application/json")
EMPTY_POST = Sample(Request("POST", "https://api.example.com/v1/orders/7/cancel"))
MULTIPART = post(
    "https://api.example.com/v1/media?folder=7",
    b'--b1\r\nContent-Disposition: form-data; name="title"\r\n\r\nSummer\r\n'
    b'--b1\r\nContent-Disposition: form-data; name="media"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n'
    b"content\r\n--b1--\r\n",
    "multipart/form-data; boundary=b1",
)
DEEP = get("https://api.example.com/api/v2/shops/7/listings/active?limit=25")
SPACED_PATH = get("https://api.example.com/files/My%20Documents/r%C3%A9sum%C3%A9.txt?rev=3")
ESCAPED_PATH = get("https://api.example.com/api/foo%40bar/a%2Fb?rev=3")
PORT = get("https://api.example.com:8443/v1/photos?size=original")
LOCAL = get("http://localhost:8080/v1/photos?size=original")
PLAIN_HTTP = get("http://api.example.com/v1/photos?size=original")
# Secrets in which something has to be encoded.
ODD_SECRETS = {"consumer_secret": "kd94/hf93+k423=kf44", "token_secret": "pf&kk/dh=="}
