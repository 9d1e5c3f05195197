"""Hashes, keys and signatures that are computed or written otherwise."""

import base64
import hashlib
import hmac

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from signers.faulty import faulty
from signers.sample import ACCENTS, BARE, ODD_SECRETS, PHOTOS, UPDATE
from signers.signer import decode, encode

RSA = PHOTOS.by("RSA-SHA1")
RSA_256 = PHOTOS.by("RSA-SHA256")
SHA256 = PHOTOS.by("HMAC-SHA256")
SHA512 = PHOTOS.by("HMAC-SHA512")
PLAIN = PHOTOS.by("PLAINTEXT")


def hmac_of(name):
    return lambda key, text: hmac.new(key, text, name).digest()


def written(s, function):
    """Puts another way of writing the digest in the place of Base64."""
    s.signature = lambda: function(s.digest(s.key_bytes(), s.text_bytes()))


@faulty(
    "key-and-text-exchanged",
    "The key and the text of the HMAC are exchanged.",
    r"swap|exchang|interchang|key and (the )?(text|base string|message)|revers",
    on=[PHOTOS, UPDATE],
)
def key_and_text_exchanged(s):
    s.digest = lambda key, text: hmac.new(text, key, "sha1").digest()


@faulty(
    "plain-hash",
    "The signature is a plain SHA-1 of the base string, without a key.",
    r"plain|\balone\b|\bbare\b|without (a |the )?key|no key|not keyed|unkeyed|no HMAC|not an? HMAC",
    on=PHOTOS,
)
def plain_hash(s):
    s.digest = lambda key, text: hashlib.sha1(text).digest()


@faulty(
    "hash-of-key-and-text",
    "The signature is a plain SHA-1 of key and base string, one behind the other.",
    r"plain|concat|no HMAC|not an? HMAC|one behind|SHA-?1 of|joined|hash of",
    on=UPDATE,
)
def hash_of_key_and_text(s):
    s.digest = lambda key, text: hashlib.sha1(key + text).digest()


@faulty("base64-of-upper-hexadecimal", "The hexadecimal digest in upper case was encoded as Base64.", r"hex", on=SHA256)
def base64_of_upper_hexadecimal(s):
    written(s, lambda digest: base64.b64encode(digest.hex().upper().encode()).decode())


@faulty(
    "base64-for-urls",
    "The signature is written in the Base64 for URLs (- and _).",
    r"\burls?\b|- and _|base64url",
    on=PHOTOS,
)
def base64_for_urls(s):
    s.until(lambda text: "+" in text and "/" in text)
    s.change("signature", lambda text: text.replace("+", "-").replace("/", "_"))


@faulty("base64-without-padding", "The = at the end of the signature is missing.", r"padding|padded|=", on=PHOTOS)
def base64_without_padding(s):
    s.change("signature", lambda text: text.rstrip("="))


@faulty(
    "base64-line-end",
    "A line end stands behind the signature.",
    r"line (feed|end|break)|new ?line|\\n|white ?space",
    source="https://github.com/jrconlin/oauthsimple/pull/24",
    on=PHOTOS,
)
def base64_line_end(s):
    s.change("signature", lambda text: text + "\n")


@faulty(
    "base64-twice",
    "The signature was encoded as Base64 twice.",
    r"(base.?64[^.]*(twice|again|double))|((twice|again|double)[^.]*base.?64)|twice",
    on=PHOTOS,
)
def base64_twice(s):
    s.change("signature", lambda text: base64.b64encode(text.encode()).decode())


@faulty(
    "openssl-output",
    "The output of `openssl dgst` (a name and hexadecimal digits) was encoded as Base64.",
    r"openssl|hex",
    on=PHOTOS,
)
def openssl_output(s):
    written(s, lambda digest: base64.b64encode(f"(stdin)= {digest.hex()}\n".encode()).decode())


@faulty("sha1-under-sha256", "HMAC-SHA256 is announced, HMAC-SHA1 was computed.", r"SHA-?1\b", on=SHA256)
def sha1_under_sha256(s):
    s.digest = hmac_of("sha1")


@faulty(
    "sha256-under-sha1",
    "HMAC-SHA1 is announced, HMAC-SHA256 was computed.",
    r"SHA-?256",
    source="https://github.com/patterninc/caterpillar/issues/104",
    on=[PHOTOS, UPDATE],
)
def sha256_under_sha1(s):
    s.digest = hmac_of("sha256")


@faulty("sha512-under-sha256", "HMAC-SHA256 is announced, HMAC-SHA512 was computed.", r"SHA-?512", on=SHA256)
def sha512_under_sha256(s):
    s.digest = hmac_of("sha512")


@faulty("md5-under-sha1", "HMAC-SHA1 is announced, HMAC-MD5 was computed.", r"MD-?5", on=PHOTOS)
def md5_under_sha1(s):
    s.digest = hmac_of("md5")


@faulty("sha384-under-sha512", "HMAC-SHA512 is announced, HMAC-SHA384 was computed.", r"SHA-?384", on=SHA512)
def sha384_under_sha512(s):
    s.digest = hmac_of("sha384")


@faulty("sha3-under-sha256", "HMAC-SHA256 is announced, HMAC-SHA3-256 was computed.", r"SHA-?3", on=SHA256)
def sha3_under_sha256(s):
    s.digest = hmac_of("sha3_256")


@faulty("sha224-under-sha256", "HMAC-SHA256 is announced, HMAC-SHA224 was computed.", r"SHA-?224", on=SHA256)
def sha224_under_sha256(s):
    s.digest = hmac_of("sha224")


@faulty(
    "digest-cut",
    "The digest of SHA-256 was cut to the 20 bytes of SHA-1.",
    r"cut|truncat|20 bytes|short|first|SHA-?256",
    on=PHOTOS,
)
def digest_cut(s):
    s.digest = lambda key, text: hmac.new(key, text, "sha256").digest()[:20]


@faulty(
    "plaintext-under-sha1",
    "HMAC-SHA1 is announced, and the key itself was sent, as PLAINTEXT has it.",
    r"PLAINTEXT|key itself",
    on=PHOTOS,
)
def plaintext_under_sha1(s):
    s.signature = lambda: s.key()


@faulty(
    "signature-encoded-twice", "The signature was percent-encoded twice.", r"twice|double|again|once more", on=PHOTOS
)
def signature_encoded_twice(s):
    s.until(lambda text: "+" in text or "/" in text)
    s.change("signature", encode)


@faulty(
    "signature-plus-as-space",
    "The + of the signature became a blank, since it was not percent-encoded.",
    r"\+|plus|space|blank",
    source="https://github.com/postmanlabs/postman-app-support/issues/5982",
    on=PHOTOS,
)
def signature_plus_as_space(s):
    s.until(lambda text: "+" in text)
    s.change("signature", lambda text: text.replace("+", " "))


@faulty("text-as-base64", "The base string was encoded as Base64 before it was hashed.", r"base.?64", on=PHOTOS)
def text_as_base64(s):
    s.change("text_bytes", base64.b64encode)


@faulty(
    "text-and-key-utf-16",
    "The base string and the key were taken as UTF-16.",
    r"UTF-?16|Encoding\.Unicode|wide|two bytes",
    on=UPDATE,
)
def text_and_key_utf_16(s):
    s.change("text_bytes", lambda data: data.decode().encode("utf-16-le"))
    s.change("key_bytes", lambda data: data.decode().encode("utf-16-le"))


@faulty(
    "text-utf-16-big-endian",
    "The base string was hashed as UTF-16, the high byte first.",
    r"UTF-?16|wide|two bytes|big.?endian",
    on=BARE,
)
def text_utf_16_big_endian(s):
    s.change("text_bytes", lambda data: data.decode().encode("utf-16-be"))


@faulty(
    "text-decoded",
    "The base string was percent-decoded before it was hashed.",
    r"decod|neither|not (percent-)?encod|unencoded",
    on=PHOTOS,
)
def text_decoded(s):
    s.change("text_bytes", lambda data: decode(data.decode(), plus=False).encode())


@faulty(
    "key-hashed",
    "The key was hashed before it was used.",
    r"key[^.]*(hash|digest|sha-?1)|(hash|digest|sha-?1)[^.]*key",
    on=PHOTOS,
)
def key_hashed(s):
    s.change("key_bytes", lambda data: hashlib.sha1(data).digest())


@faulty(
    "key-hashed-as-hexadecimal",
    "The hexadecimal SHA-1 of the key was used as the key.",
    r"key[^.]*(hash|digest|sha-?1|hex)|(hash|digest|sha-?1|hex)[^.]*key",
    on=UPDATE,
)
def key_hashed_as_hexadecimal(s):
    s.change("key_bytes", lambda data: hashlib.sha1(data).hexdigest().encode())


@faulty("hmac-twice", "The digest was put through the HMAC again.", r"twice|again|double|two times", on=PHOTOS)
def hmac_twice(s):
    s.digest = lambda key, text: hmac.new(key, hmac.new(key, text, "sha1").digest(), "sha1").digest()


@faulty(
    "hash-then-hmac",
    "The base string was hashed before the HMAC.",
    r"hash(ed)? (first|before)|twice|hash of|SHA-?1 of|pre-?hash",
    on=PHOTOS,
)
def hash_then_hmac(s):
    s.change("text_bytes", lambda data: hashlib.sha1(data).digest())


@faulty("rsa-pss-longest-salt", "The RSA signature has PSS padding with the longest salt.", r"PSS|padding", on=RSA)
def rsa_pss_longest_salt(s):
    s.digest = lambda key, text: s.credentials.private_key.sign(
        text, padding.PSS(padding.MGF1(hashes.SHA1()), padding.PSS.MAX_LENGTH), hashes.SHA1()
    )


@faulty(
    "rsa-of-hash",
    "The base string was hashed before the RSA signature, which hashes again.",
    r"hash(ed)? (first|before)|twice|again|hash of|SHA-?256 of|double|pre-?hash",
    on=RSA_256,
)
def rsa_of_hash(s):
    s.change("text_bytes", lambda data: hashlib.sha256(data).digest())


@faulty("hmac-under-rsa", "RSA-SHA1 is announced, an HMAC with the secrets was computed.", r"HMAC", on=RSA)
def hmac_under_rsa(s):
    s.digest = hmac_of("sha1")


@faulty(
    "hmac-with-pem", "RSA-SHA1 is announced, an HMAC with the text of the private key was computed.", r"HMAC", on=RSA
)
def hmac_with_pem(s):
    s.digest = lambda key, text: hmac.new(s.pem(), text, "sha1").digest()


@faulty(
    "plaintext-encoded-twice",
    "The secrets of PLAINTEXT were percent-encoded twice.",
    r"twice|double|again|encod",
    on=PLAIN.using(**ODD_SECRETS),
)
def plaintext_encoded_twice(s):
    s.change("signature", encode)


@faulty(
    "plaintext-not-encoded",
    "The secrets of PLAINTEXT are not percent-encoded.",
    r"encod",
    on=PLAIN.using(**ODD_SECRETS),
)
def plaintext_not_encoded(s):
    s.key = lambda: s.consumer_secret + "&" + s.token_secret


@faulty(
    "plaintext-line-end",
    "The token secret of PLAINTEXT ends with a line feed.",
    r"line (feed|end|break)|new ?line|\\n|%0A",
    on=PLAIN,
)
def plaintext_line_end(s):
    s.token_secret += "\n"


@faulty(
    "text-latin-1",
    "The base string was hashed as Latin-1; it has letters that were left unencoded.",
    r"latin.?1|8859-1|1252|not (percent-)?encod|unencoded|raw",
    on=ACCENTS,
)
def text_latin_1(s):
    s.encode = lambda text: "".join(encode(c) if c.isascii() else c for c in text)
    s.base_string = lambda: "&".join((s.verb(), encode(s.address()), s.encode(s.normalized())))
    s.text_bytes = lambda: s.base_string().encode("latin-1")


@faulty(
    "digest-as-text",
    "The bytes of the digest were taken for Latin-1, and written in UTF-8 before Base64.",
    r"UTF-?8|Latin",
    on=PHOTOS,
)
def digest_as_text(s):
    written(s, lambda digest: base64.b64encode(digest.decode("latin-1").encode()).decode())


@faulty("digest-words-swapped", "Each four bytes of the digest stand in little-endian order.", r"endian", on=SHA256)
def digest_words_swapped(s):
    written(s, lambda d: base64.b64encode(b"".join(d[i : i + 4][::-1] for i in range(0, len(d), 4))).decode())


@faulty("rsa-little-endian", "The RSA signature is little-endian, as CryptoAPI writes it.", r"reverse|endian", on=RSA)
def rsa_little_endian(s):
    s.change("digest", lambda digest: digest[::-1])


@faulty(
    "signature-as-numbers",
    "The signature is a list of decimal numbers, JavaScript's text of an array of bytes.",
    r"decimal|numbers",
    on=PHOTOS,
)
def signature_as_numbers(s):
    written(s, lambda digest: ",".join(map(str, digest)))
