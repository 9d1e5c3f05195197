"""Text in another character set or another form."""

import unicodedata

from signers.faulty import faulty
from signers.sample import ACCENTS, ACCENTS_FORM, CYRILLIC, EMOJI, JAPANESE, SPACED_PATH, TYPOGRAPHIC, get
from signers.signer import encode

DECOMPOSED = get("https://api.example.com/v1/people?name=Jose%CC%81&city=Ko%CC%88ln")


def in_charset(s, charset, errors="strict"):
    """Has values and names encoded in a character set."""
    s.encode = lambda text: encode(text.encode(charset, errors))


@faulty(
    "latin-1",
    "The values are encoded as Latin-1 instead of UTF-8.",
    r"latin.?1|8859-1|windows-?1252|cp.?1252",
    source="https://github.com/restsharp/RestSharp/issues/1945",
    on=[ACCENTS, ACCENTS_FORM],
)
def latin_1(s):
    in_charset(s, "latin-1")


@faulty(
    "windows-1252",
    "The values are encoded as Windows-1252 instead of UTF-8.",
    r"windows-?1252|cp.?1252|ansi code page",
    on=TYPOGRAPHIC,
)
def windows_1252(s):
    in_charset(s, "cp1252")


@faulty(
    "latin-1-path",
    "The path is encoded as Latin-1 instead of UTF-8.",
    r"latin.?1|8859-1|windows-?1252|cp.?1252",
    on=SPACED_PATH,
)
def latin_1_path(s):
    s.change("path", lambda path: path.replace("%C3%A9", "%E9"))


@faulty(
    "shift-jis",
    "The values are encoded in the machine's own Shift JIS instead of UTF-8.",
    r"shift.?jis|sjis|cp932|windows-?31j|native|not (in )?utf-?8|other (charset|character set|encoding)",
    source="https://github.com/r-lib/httr/issues/423",
    on=get("https://api.example.com/v1/search?q=%E5%86%99%E7%9C%BC"),
)
def shift_jis(s):
    in_charset(s, "shift_jis")


@faulty(
    "read-as-latin-1",
    "UTF-8 was read as Latin-1 and written as UTF-8 again.",
    r"latin.?1|8859-1|windows-?1252|cp.?1252|mojibake|byte by byte|(twice|double)[^.]*utf-?8|utf-?8[^.]*(twice|again)",
    source="https://github.com/carlos-emr/carlos/issues/3007",
    on=[ACCENTS, CYRILLIC],
)
def read_as_latin_1(s):
    s.each_value(lambda value: value.encode().decode("latin-1"))


@faulty(
    "read-as-windows-1252",
    "UTF-8 was read as Windows-1252 and written as UTF-8 again.",
    r"windows-?1252|cp.?1252|mojibake|latin.?1",
    on=TYPOGRAPHIC.at("https://api.example.com/v1/notes?title=%E2%82%AC5"),
)
def read_as_windows_1252(s):
    s.each_value(lambda value: value.encode().decode("cp1252"))


@faulty(
    "decomposed",
    "The values are in decomposed form (NFD), as macOS names files.",
    r"NFD|decompos|normali[sz]ation form|unicode normal",
    on=ACCENTS,
)
def decomposed(s):
    s.each_value(lambda value: unicodedata.normalize("NFD", value))


@faulty(
    "composed",
    "The values are in composed form (NFC); decomposed ones are sent.",
    r"NFC|\bcompos|precompos|normali[sz]ation form|unicode normal",
    on=DECOMPOSED,
)
def composed(s):
    s.each_value(lambda value: unicodedata.normalize("NFC", value))


@faulty(
    "cesu-8",
    "A character beyond U+FFFF is encoded as two surrogates (CESU-8).",
    r"CESU|surrogate|modified utf-?8|beyond U\+FFFF|supplementary",
    on=EMOJI,
)
def cesu_8(s):
    def units(text):
        data = text.encode("utf-16-be")
        return "".join(chr(int.from_bytes(data[at : at + 2], "big")) for at in range(0, len(data), 2))

    s.encode = lambda text: encode(units(text).encode("utf-8", "surrogatepass"))


@faulty(
    "escape-function",
    "JavaScript's escape() encoded the values: %uXXXX and Latin-1.",
    r"escape\(\)|\bescape\b|%u",
    source="https://github.com/request/oauth-sign/issues/4",
    on=[JAPANESE, TYPOGRAPHIC],
)
def escape_function(s):
    def escape(text):
        return "".join(
            c
            if c.isascii() and (c.isalnum() or c in "@*_+-./")
            else f"%{ord(c):02X}"
            if ord(c) < 256
            else f"%u{ord(c):04X}"
            for c in text
        )

    s.encode_value = escape


@faulty(
    "question-marks",
    "Letters outside of ASCII were replaced by question marks.",
    r"question mark|\?|replac|lost|non-?ascii|outside (of )?ascii",
    source="https://github.com/joestump/python-oauth2/issues/48",
    on=ACCENTS,
)
def question_marks(s):
    s.each_value(lambda value: value.encode("ascii", "replace").decode())


@faulty(
    "non-ascii-dropped",
    "Letters outside of ASCII were dropped.",
    r"drop|left out|remov|strip|lost|ignor|without (the )?(non-?ascii|letters|characters)",
    on=ACCENTS_FORM,
)
def non_ascii_dropped(s):
    s.each_value(lambda value: value.encode("ascii", "ignore").decode())


@faulty(
    "non-ascii-unencoded",
    "Letters outside of ASCII are not percent-encoded.",
    r"(not|un|without)[- ]?(percent-)?encod|left (as|raw)|raw|as they are",
    on=ACCENTS,
)
def non_ascii_unencoded(s):
    s.encode = lambda text: "".join(encode(c) if c.isascii() else c for c in text)


@faulty(
    "low-bytes",
    "Of each character only the low byte is encoded.",
    r"low(er|est)? (byte|eight|8)|truncat|one byte|single byte|& ?0xFF|byte (each|per|a character)",
    on=JAPANESE,
)
def low_bytes(s):
    s.encode = lambda text: encode(bytes(ord(c) & 0xFF for c in text))


@faulty(
    "numeric-entities",
    "Letters that Latin-1 lacks are written as numeric entities, as a browser does for a Latin-1 page.",
    r"entit|&#|numeric|character reference",
    on=[TYPOGRAPHIC, CYRILLIC],
)
def numeric_entities(s):
    s.each_value(lambda value: value.encode("ascii", "xmlcharrefreplace").decode())


@faulty(
    "json-escapes",
    r"Letters outside of ASCII are written as \uXXXX, as JSON does.",
    r"\\u|json|unicode escape",
    on=ACCENTS,
)
def json_escapes(s):
    s.each_value(lambda value: value.encode("unicode_escape").decode().replace("\\x", "\\u00"))


@faulty(
    "surrogates-dropped",
    "The emoji was dropped, as a column of three-byte UTF-8 does.",
    r"drop|left out|remov|strip|lost|without|beyond U\+FFFF|supplementary|emoji",
    on=EMOJI,
)
def surrogates_dropped(s):
    s.each_value(lambda value: "".join(c for c in value if ord(c) < 0x10000))


@faulty("named-entities", "Letters were written as named entities, as PHP's htmlentities does.", r"entit", on=ACCENTS)
def named_entities(s):
    named = {"é": "&eacute;", "ü": "&uuml;", "ö": "&ouml;"}
    s.each_value(lambda value: "".join(named.get(c, c) for c in value))
