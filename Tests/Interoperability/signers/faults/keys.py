"""What echo, editors and shells make of secrets, and keys that are put together wrongly."""

import base64

from signers.faulty import faulty
from signers.sample import BARE, JSON, ODD_SECRETS, PHOTOS, UPDATE
from signers.signer import encode

TWO_LEGS = PHOTOS.using(token=None, token_secret=None)
ODD = UPDATE.using(**ODD_SECRETS)
LINE_END = r"line (feed|end|break)|new ?line|carriage|\\n|\bLF\b|CR ?LF"


@faulty(
    "secret-line-feed",
    "The consumer secret ends with a line feed, as echo writes it.",
    LINE_END,
    source="https://github.com/strimzi/strimzi-kafka-oauth/issues/70",
    on=[PHOTOS, UPDATE],
)
def secret_line_feed(s):
    s.consumer_secret += "\n"


@faulty("secret-crlf", "The consumer secret ends with CR LF, as a file from Windows does.", LINE_END, on=PHOTOS)
def secret_crlf(s):
    s.consumer_secret += "\r\n"


@faulty(
    "secret-carriage-return", "The consumer secret ends with a carriage return.", LINE_END + r"|\bCR\b|\\r", on=UPDATE
)
def secret_carriage_return(s):
    s.consumer_secret += "\r"


@faulty(
    "token-secret-line-feed",
    "The token secret ends with a line feed that the provider's answer ended with.",
    LINE_END,
    source="https://github.com/kurrik/oauth1a/issues/17",
    on=PHOTOS,
)
def token_secret_line_feed(s):
    s.token_secret += "\n"


@faulty("both-secrets-line-feed", "Both secrets end with a line feed.", LINE_END, on=JSON)
def both_secrets_line_feed(s):
    s.consumer_secret += "\n"
    s.token_secret += "\n"


@faulty("token-secret-trailing-space", "The token secret ends with a blank.", "space|blank", on=UPDATE)
def token_secret_trailing_space(s):
    s.token_secret += " "


@faulty(
    "secret-trailing-tab",
    "The consumer secret ends with a tab, as a cell of a table does.",
    r"\btab\b|space|blank",
    on=PHOTOS,
)
def secret_trailing_tab(s):
    s.consumer_secret += "\t"


@faulty(
    "secret-space-crlf",
    "The consumer secret ends with a blank and CR LF, as `echo secret > file` of cmd.exe writes.",
    LINE_END + "|space|blank",
    on=PHOTOS,
)
def secret_space_crlf(s):
    s.consumer_secret += " \r\n"


@faulty(
    "secret-zero-width-space",
    "The consumer secret ends with a zero-width space from a web page or a chat.",
    r"zero.?width|U\+200B|invisible",
    on=PHOTOS,
)
def secret_zero_width_space(s):
    s.consumer_secret += "\u200b"


@faulty(
    "secret-byte-order-mark",
    "A byte-order mark stands before the consumer secret, as Notepad writes it.",
    r"byte.?order|\bBOM\b|U\+FEFF",
    on=PHOTOS,
)
def secret_byte_order_mark(s):
    s.consumer_secret = "\ufeff" + s.consumer_secret


@faulty(
    "secret-mark-and-line-end",
    "The file of the consumer secret begins with a byte-order mark and ends with CR LF.",
    r"byte.?order|\bBOM\b|U\+FEFF",
    on=UPDATE,
)
def secret_mark_and_line_end(s):
    s.consumer_secret = "\ufeff" + s.consumer_secret + "\r\n"


@faulty(
    "secret-double-quotes",
    "The consumer secret is in quotation marks that were taken from an .env file.",
    r"quot",
    on=[PHOTOS, JSON],
)
def secret_double_quotes(s):
    s.consumer_secret = f'"{s.consumer_secret}"'


@faulty("token-secret-single-quotes", "The token secret is in single quotation marks.", r"quot|apostroph", on=PHOTOS)
def token_secret_single_quotes(s):
    s.token_secret = f"'{s.token_secret}'"


@faulty("both-secrets-double-quotes", "Both secrets are in quotation marks.", r"quot", on=UPDATE)
def both_secrets_double_quotes(s):
    s.consumer_secret, s.token_secret = f'"{s.consumer_secret}"', f'"{s.token_secret}"'


@faulty("secret-comma", "A comma of JSON was copied along with the consumer secret.", r"comma|punctuation", on=PHOTOS)
def secret_comma(s):
    s.consumer_secret += ","


@faulty(
    "secret-written-line-feed",
    r"The consumer secret ends with a backslash and an n, which were to be a line feed.",
    r"\\+n|backslash|escape",
    on=PHOTOS,
)
def secret_written_line_feed(s):
    s.consumer_secret += "\\n"


@faulty("token-secret-null", "There is no token, and Java wrote `null` for its secret.", r"\bnull\b", on=TWO_LEGS)
def token_secret_null(s):
    s.token_secret = "null"


@faulty(
    "token-secret-none", "There is no token, and Python wrote `None` for its secret.", r"(?-i:\bNone\b)", on=TWO_LEGS
)
def token_secret_none(s):
    s.token_secret = "None"


@faulty(
    "token-secret-nil",
    "There is no token, and Objective-C wrote `(null)` for its secret.",
    r"null",
    source="https://github.com/lorenbrichter/OAuthCore/pull/4",
    on=TWO_LEGS,
)
def token_secret_nil(s):
    s.key = lambda: encode(s.consumer_secret) + "&(null)"


@faulty("token-secret-false", "There is no token, and its secret was written as `false`.", r"\bfalse\b", on=TWO_LEGS)
def token_secret_false(s):
    s.token_secret = "false"


@faulty(
    "consumer-secret-alone",
    "The key is the consumer secret alone, without & and token secret.",
    r"consumer secret (alone|only)|(without|no|lacks|omit\w*|left out|leaves out|empty|dropp\w+)[^.]*(token secret|&)"
    r"|token('s)? secret[^.]*(not|missing|left out|absent|omitted)",
    source="https://github.com/solettaproject/soletta/pull/1176",
    on=PHOTOS,
)
def consumer_secret_alone(s):
    s.key = lambda: encode(s.consumer_secret)


@faulty(
    "token-secret-left-out",
    "The key ends with the & although there is a token with a secret.",
    r"(without|no|lacks|omit\w*|left out|leaves out|empty|dropp\w+)[^.]*token('s)? secret"
    r"|token('s)? secret[^.]*(not|missing|left out|absent|omitted)|consumer secret (alone|only)",
    source="https://github.com/mountain-loop/yaak/pull/611",
    on=[PHOTOS, UPDATE],
)
def token_secret_left_out(s):
    s.token_secret = ""


@faulty(
    "consumer-key-as-secret",
    "The consumer key was used in the place of the consumer secret.",
    r"consumer key|oauth_consumer_key",
    on=PHOTOS,
)
def consumer_key_as_secret(s):
    s.consumer_secret = s.consumer_key


@faulty(
    "token-as-secret",
    "The token was used in the place of its secret.",
    r"token[^.]*(instead|place|in place|rather|as)[^.]*secret|the token (itself|string)",
    on=UPDATE,
)
def token_as_secret(s):
    s.token_secret = s.token


@faulty(
    "key-and-token-as-secrets",
    "The key is made of the consumer key and the token, not of the secrets.",
    r"consumer key|oauth_consumer_key|identifiers",
    on=PHOTOS,
    allowed=["token"],
)
def key_and_token_as_secrets(s):
    s.consumer_secret, s.token_secret = s.consumer_key, s.token


@faulty(
    "secrets-not-encoded",
    "The secrets are not percent-encoded in the key.",
    r"(not|un|without)[- ]?(percent-)?encod|raw|encod\w+[^.]*(secret|key)|(secret|key)[^.]*encod",
    source="https://github.com/Shinmera/north/issues/2",
    on=ODD,
)
def secrets_not_encoded(s):
    s.key = lambda: s.consumer_secret + "&" + s.token_secret


@faulty(
    "token-secret-not-decoded",
    "The token secret was taken from the provider's answer without decoding it.",
    r"decod|twice|double|encoded again|as it (came|stood)",
    on=ODD,
)
def token_secret_not_decoded(s):
    s.token_secret = encode(s.token_secret)


@faulty(
    "secrets-lower-case-escapes",
    "The secrets are encoded with lower-case hexadecimal digits.",
    r"lower|upper|case",
    on=ODD,
)
def secrets_lower_case_escapes(s):
    s.key = lambda: encode(s.consumer_secret, upper=False) + "&" + encode(s.token_secret, upper=False)


@faulty("secret-decoded-as-base64", "The consumer secret was decoded as Base64.", r"base.?64", on=PHOTOS)
def secret_decoded_as_base64(s):
    key = base64.b64decode(s.consumer_secret) + b"&" + s.token_secret.encode()
    s.put("key_bytes", key)


@faulty(
    "secret-decoded-as-hexadecimal",
    "The consumer secret, which looks hexadecimal, was decoded.",
    r"hex",
    on=PHOTOS.using(consumer_secret="0badc0ffee0ddf00d5ca1ab1e0ddba11"),
)
def secret_decoded_as_hexadecimal(s):
    s.put("key_bytes", bytes.fromhex(s.consumer_secret) + b"&" + s.token_secret.encode())


@faulty(
    "secret-and-line-feed-as-base64",
    "The consumer secret was put through `echo | base64`, and not decoded again.",
    r"base.?64",
    source="https://github.com/strimzi/strimzi-kafka-oauth/issues/70",
    on=PHOTOS,
)
def secret_and_line_feed_as_base64(s):
    s.consumer_secret = base64.b64encode(s.consumer_secret.encode() + b"\n").decode()


@faulty("secret-written-as-hexadecimal", "The consumer secret is given in hexadecimal.", r"hex", on=PHOTOS)
def secret_written_as_hexadecimal(s):
    s.consumer_secret = s.consumer_secret.encode().hex()


@faulty("whole-key-as-base64", "The whole key was encoded as Base64.", r"base.?64", on=PHOTOS)
def whole_key_as_base64(s):
    right = s.key()
    s.key = lambda: base64.b64encode(right.encode()).decode()


@faulty("secret-upper-case", "The consumer secret was turned into upper case.", r"upper|capital|case", on=PHOTOS)
def secret_upper_case(s):
    s.consumer_secret = s.consumer_secret.upper()


@faulty(
    "secret-slash-escaped",
    "The / in the secrets is written as \\/, as json_encode of PHP does.",
    r"backslash|\\|json|escap",
    on=ODD,
)
def secret_slash_escaped(s):
    s.consumer_secret, s.token_secret = s.consumer_secret.replace("/", "\\/"), s.token_secret.replace("/", "\\/")


@faulty(
    "secret-entities",
    "The & in the token secret is written as &amp;, as a web page's source has it.",
    r"&amp;|entit|html|xml",
    on=ODD,
)
def secret_entities(s):
    s.token_secret = s.token_secret.replace("&", "&amp;")


@faulty(
    "secret-cut-at-equals",
    "The secret was cut at its first =, as `cut -d= -f2` does.",
    r"=|padding|\bcut\b|truncat|short|\bend\b",
    on=ODD,
)
def secret_cut_at_equals(s):
    s.consumer_secret, s.token_secret = s.consumer_secret.split("=")[0], s.token_secret.split("=")[0]


@faulty(
    "secret-cut-at-hash",
    "The consumer secret was cut at its #, which begins a comment in .env files.",
    r"#|comment|hash sign|number sign",
    on=PHOTOS.using(consumer_secret="kd94hf93#k423kf44"),
)
def secret_cut_at_hash(s):
    s.consumer_secret = s.consumer_secret.partition("#")[0]


@faulty(
    "secret-name-and-value",
    "The whole line NAME=secret of an .env file is taken for the consumer secret.",
    r"\bname|CONSUMER_SECRET=|whole line|prefix|variable",
    on=BARE,
)
def secret_name_and_value(s):
    s.consumer_secret = "CONSUMER_SECRET=" + s.consumer_secret


@faulty(
    "secret-with-dashes",
    "A word processor made dashes of the hyphens in the consumer secret.",
    r"dash|hyphen",
    on=PHOTOS.using(consumer_secret="kd94-hf93-k423-kf44"),
)
def secret_with_dashes(s):
    s.consumer_secret = s.consumer_secret.replace("-", "\u2013")


@faulty("secret-transposed", "Two characters of the consumer secret are exchanged.", r"transpos|typ", on=PHOTOS)
def secret_transposed(s):
    s.consumer_secret = "kd94fh93k423kf44"


@faulty("secret-mistyped", "One character of the token secret is another one.", r"typ|character", on=UPDATE)
def secret_mistyped(s):
    s.token_secret = s.token_secret.replace("h", "j", 1)


@faulty(
    "secret-as-number",
    "The consumer secret was read as a number, and lost its zeros in front.",
    r"number|zero",
    on=PHOTOS.using(consumer_secret="0012345678901234"),
)
def secret_as_number(s):
    s.consumer_secret = s.consumer_secret.lstrip("0")


@faulty("secret-echo-n", "sh's `echo -n` printed its -n with the secret.", r"echo", on=PHOTOS)
def secret_echo_n(s):
    s.consumer_secret = "-n " + s.consumer_secret + "\n"


@faulty("token-and-its-secret", "The key is made of the token and its secret.", r"the token", on=PHOTOS)
def token_and_its_secret(s):
    s.consumer_secret = s.token
