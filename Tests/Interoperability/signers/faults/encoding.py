"""Other ways of percent-encoding, and of putting the base string together."""

from signers.faulty import faulty
from signers.sample import (
    ACCENTS,
    BRACKETS,
    MARKUP,
    PERCENT,
    PHOTOS,
    PLUSES,
    RESERVED,
    SPACES,
    UPDATE,
    get,
    post,
)
from signers.signer import decode, encode, raw_pairs

TILDES = get("https://api.example.com/v1/users?home=~al&lang=en")


@faulty(
    "exclamation-mark",
    "The exclamation mark is not encoded.",
    r"encodeURIComponent|!|exclamation",
    source="https://github.com/meteor/meteor/issues/570",
    on=post("https://api.example.com/v1/t", b"status=Yes%21%20I%2Fwe"),
)
def exclamation_mark(s):
    s.encode = lambda text: encode(text, keep="!'()*")


@faulty(
    "star",
    "The asterisk is not encoded.",
    r"\*|asterisk|star|encodeURIComponent|URLEncoder",
    source="https://github.com/AsyncHttpClient/async-http-client/issues/1216",
    on=get("https://api.example.com/v1/search?q=wild%2Acard%2A%20a%2Fb&lang=en"),
)
def star(s):
    s.encode = lambda text: encode(text, keep="*")


@faulty(
    "star-java",
    "java.net.URLEncoder leaves * as it is and encodes ~.",
    r"\*|asterisk|star|URLEncoder",
    source="https://github.com/heremaps/here-aaa-java-sdk/pull/89",
    on=get("https://api.example.com/v1/search?q=~wild%2A"),
)
def star_java(s):
    s.encode = lambda text: encode(text, keep="*").replace("~", "%7E")


@faulty(
    "tilde",
    "The tilde is encoded as %7E.",
    r"~|tilde|%7E",
    source="https://github.com/mikeknapp/AppEngine-OAuth-Library/issues/4",
    on=TILDES,
)
def tilde(s):
    s.encode = lambda text: encode(text).replace("~", "%7E")


@faulty(
    "plus-for-space",
    "The space is written as +, as forms do, instead of %20.",
    r"\+|plus|\bforms?\b",
    source="https://github.com/javaee/jersey/issues/705",
    on=[SPACES, UPDATE],
)
def plus_for_space(s):
    s.encode = lambda text: encode(text, plus=True)


@faulty(
    "plus-to-space",
    "The plus sign (%2B) was turned into %20.",
    r"\+|plus|%2B",
    source="https://github.com/scribejava/scribejava/issues/105",
    on=[PLUSES, UPDATE],
)
def plus_to_space(s):
    s.encode = lambda text: encode(text).replace("%2B", "%20")


@faulty(
    "lower-case-escapes-outside",
    "The address and the parameters are encoded into the base string with lower-case digits.",
    r"lower|upper|case",
    on=PHOTOS,
)
def lower_case_escapes_outside(s):
    s.base_string = lambda: "&".join((s.verb(), encode(s.address(), upper=False), encode(s.normalized(), upper=False)))


@faulty(
    "encoded-twice",
    "The values are encoded twice before the parameters are encoded as a whole.",
    r"twice|double|again|second",
    source="https://github.com/mttkay/signpost/pull/9",
    on=[UPDATE, ACCENTS],
)
def encoded_twice(s):
    s.encode_value = lambda value: encode(encode(value))


@faulty(
    "query-not-decoded",
    "The query's values are encoded as they stand in the URL, without being decoded first.",
    r"decod|twice|double|again",
    source="https://github.com/postmanlabs/postman-app-support/issues/8879",
    on=[ACCENTS, BRACKETS],
)
def query_not_decoded(s):
    s.query = lambda: raw_pairs(s.request.parts.query)


@faulty(
    "names-encoded-twice",
    "The names are encoded twice, the values once.",
    r"name[^.]*(twice|double|again)|(twice|double|again)[^.]*name",
    on=get("https://api.example.com/v1/items?ids%5B%5D=a%20b&ids%5B%5D=c%2Fd&page=1"),
)
def names_encoded_twice(s):
    s.encode_name = lambda name: encode(encode(name))


@faulty(
    "names-not-encoded",
    "The names are not encoded, the values are.",
    r"\bnames?\b",
    on=get("https://api.example.com/v1/items?ids%5B%5D=a%20%5Bb%5D&ids%5B%5D=c%2Fd&page=1"),
)
def names_not_encoded(s):
    s.encode_name = lambda name: name


@faulty(
    "brackets-left",
    "Square brackets are not encoded.",
    r"[\[\]]|bracket",
    source="https://github.com/Kong/insomnia/issues/943",
    on=[get("https://api.example.com/v1/items?ids%5B%5D=a%20b&ids%5B%5D=c%2Fd&page=1"), RESERVED],
)
def brackets_left(s):
    s.encode = lambda text: encode(text, keep="[]")


@faulty(
    "path-characters-left",
    "What may stand in a path (: @ / ,) is left as it is in the values.",
    r"encode[^.]*(:|@)|@|colon|reserved",
    on=get("https://api.example.com/v1/map?at=52.5%2C13.4&id=urn%3Aa%40b%2Fc%20d%3Fe"),
)
def path_characters_left(s):
    s.encode = lambda text: encode(text, keep=":@/,")


@faulty(
    "percent-left",
    "The percent sign of a value is not encoded.",
    r"%|percent sign",
    on=get("https://api.example.com/v1/search?q=100%25%20sure%3F&lang=en"),
)
def percent_left(s):
    s.encode = lambda text: encode(text, keep="%")


@faulty(
    "decoded-twice",
    "The values are decoded twice.",
    r"decod[^.]*(twice|double|again|second)|(twice|double)[^.]*decod|unescaped",
    on=PERCENT,
)
def decoded_twice(s):
    s.each_value(decode)


@faulty(
    "unreserved-encoded",
    "The unreserved - . _ are encoded too.",
    r"unreserved|- \. _|\. _|hyphen|underscore|every|%5F|%2E",
    on=UPDATE,
)
def unreserved_encoded(s):
    s.encode = lambda text: encode(text).replace("_", "%5F").replace(".", "%2E").replace("-", "%2D")


@faulty(
    "nothing-encoded",
    "Neither the address nor the parameters are encoded into the base string.",
    r"neither|(not|un|without|nothing)[- ]?(is |are )?(percent-)?encod",
    on=PHOTOS,
)
def nothing_encoded(s):
    s.base_string = lambda: "&".join((s.verb(), s.address(), s.normalized()))


@faulty(
    "whole-encoded",
    "The whole base string was encoded once more.",
    r"(whole|base string|again|twice|double)[^.]*encod|encod[^.]*(whole|base string|again|twice|double|once more)",
    source="https://github.com/postmanlabs/postman-app-support/issues/678",
    on=UPDATE,
)
def whole_encoded(s):
    s.change("base_string", encode)


@faulty(
    "comma-separators",
    "Commas stand between the parameters, and between name and value, instead of & and =.",
    r"comma",
    source="https://github.com/mulesoft/api-console/issues/61",
    on=PHOTOS,
)
def comma_separators(s):
    s.normalized = lambda: ",".join(f"{name},{value}" for name, value in s.sort(s.encoded()))


@faulty("entities-in-values", "The values were escaped for HTML.", r"html|entit|&amp;|&lt;|xml", on=MARKUP)
def entities_in_values(s):
    s.each_value(
        lambda value: value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    )


@faulty(
    "entities-undone",
    "Entities in the values were resolved before signing.",
    r"html|entit|&amp;|&lt;|xml",
    on=post("https://api.example.com/v1/comments", b"text=Fish+%26amp%3B+chips&id=7"),
)
def entities_undone(s):
    s.each_value(lambda value: value.replace("&amp;", "&"))


@faulty(
    "quotes-with-backslashes",
    "A backslash stands before each quotation mark, as magic quotes of PHP put it.",
    r"backslash|\\|magic|escap",
    on=MARKUP,
)
def quotes_with_backslashes(s):
    s.each_value(lambda value: value.replace('"', '\\"'))


@faulty("space-unencoded", "The space is not encoded.", r"space|blank", on=UPDATE)
def space_unencoded(s):
    s.encode = lambda text: encode(text, keep=" ")


@faulty("tags-stripped", "HTML tags were stripped from the values.", r"html|tag|markup", on=MARKUP)
def tags_stripped(s):
    s.each_value(lambda value: value.replace("<b>", "").replace("</b>", ""))
