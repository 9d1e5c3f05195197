"""How languages flatten arrays, objects, booleans and null into parameters."""

import re

from signers.faulty import faulty
from signers.sample import (
    BRACKETS,
    EMPTY_VALUES,
    INDEXED,
    NESTED,
    PADDED,
    PHOTOS,
    REPEATED,
    REPEATED_FORM,
    TYPED,
    UNIX_LINES,
    get,
)

ARRAY = r"array|element|list|repeated|same name|several|index|\["
DECIMALS = get("https://api.example.com/v1/items?price=10.00&total=1000000&page=1")
DOTTED = get("https://api.example.com/v1/items?user.name=al&user.id=7&page=1")
DEEP_NESTED = get("https://api.example.com/v1/o?a%5Bb%5D%5Bc%5D=1&a%5Bb%5D%5Bd%5D=2&page=1")
PRICE = get("https://api.example.com/v1/items?price=19.99")
SAME_TWICE = get("https://api.example.com/v1/items?tag=red&tag=red&page=1")


def grouped(found):
    """The values of each name, in the order of the request."""
    lists = {}
    for name, value in found:
        lists.setdefault(name, []).append(value)
    return lists


@faulty(
    "object-object-alone",
    "A nested object was signed as [object Object] in the place of its fields.",
    r"object Object",
    source="https://github.com/request/oauth-sign/issues/11",
    on=NESTED,
)
def object_object_alone(s):
    s.change("application", lambda found: [("filter", "[object Object]"), *(p for p in found if "[" not in p[0])])


@faulty(
    "last-value-only",
    "Of several parameters of one name only the last was signed.",
    r"last|drop|only one|once|duplicate|repeated|several|same name",
    source="https://github.com/googleapis/signet/issues/173",
    on=[REPEATED, REPEATED_FORM],
)
def last_value_only(s):
    s.change("application", lambda found: list(dict(found).items()))


@faulty(
    "first-value-only",
    "Of several parameters of one name only the first was signed.",
    r"first|drop|only one|once|duplicate|repeated|several|same name",
    source="https://github.com/contextio/ContextIO-node/issues/18",
    on=REPEATED,
)
def first_value_only(s):
    s.change("application", lambda found: [(name, values[0]) for name, values in grouped(found).items()])


@faulty("repeated-with-brackets", "Parameters of one name were signed as name[].", ARRAY, on=REPEATED_FORM)
def repeated_with_brackets(s):
    s.change(
        "application",
        lambda found: [
            (f"{name}[]" if len(values) > 1 else name, value)
            for name, values in grouped(found).items()
            for value in values
        ],
    )


@faulty("brackets-lost", "The [] behind the name of an array was lost.", r"\[\]|bracket|array", on=BRACKETS)
def brackets_lost(s):
    s.each_name(lambda name: name.removesuffix("[]"))


@faulty("brackets-to-indices", "name[] was signed as name[0], name[1].", ARRAY, on=BRACKETS)
def brackets_to_indices(s):
    s.change(
        "application",
        lambda found: [
            (name.replace("[]", f"[{i}]"), value)
            for name, values in grouped(found).items()
            for i, value in enumerate(values)
        ],
    )


@faulty(
    "indices-from-one",
    "The indices of the array begin with 1 instead of 0.",
    r"index|indices|\[1\]|from (one|1)",
    on=INDEXED,
)
def indices_from_one(s):
    s.each_name(lambda name: re.sub(r"\[(\d+)\]", lambda m: f"[{int(m[1]) + 1}]", name))


@faulty(
    "array-word",
    "PHP wrote `Array` for a nested value.",
    r"\bArray\b",
    source="https://github.com/woocommerce/woocommerce/issues/13767",
    on=NESTED,
)
def array_word(s):
    s.change(
        "application",
        lambda found: list(
            {name.partition("[")[0]: "Array" if "[" in name else value for name, value in found}.items()
        ),
    )


@faulty(
    "list-as-python", "Python's str() of the list was signed.", r"python|\['|str\(|repr|list|array|bracket", on=REPEATED
)
def list_as_python(s):
    s.change(
        "application",
        lambda found: [
            (name, str(values) if len(values) > 1 else values[0]) for name, values in grouped(found).items()
        ],
    )


@faulty("list-as-json", "The array was signed as JSON.", r"json|\[\"|array|list", on=REPEATED)
def list_as_json(s):
    s.change(
        "application",
        lambda found: [
            (name, '["' + '","'.join(values) + '"]' if len(values) > 1 else values[0])
            for name, values in grouped(found).items()
        ],
    )


@faulty(
    "dots-for-brackets",
    "Nested fields were signed as filter.limit instead of filter[limit].",
    r"\bdot|bracket|nested",
    on=NESTED,
)
def dots_for_brackets(s):
    s.each_name(lambda name: name.replace("[", ".").replace("]", ""))


@faulty("brackets-for-dots", "Dotted names were signed with brackets.", r"\[|\bdot|bracket|nested", on=DOTTED)
def brackets_for_dots(s):
    s.each_name(lambda name: re.sub(r"\.(\w+)", r"[\1]", name))


@faulty("true-as-one", "PHP signed true as 1 and false as nothing; the words were sent.", r"true|false|bool", on=TYPED)
def true_as_one(s):
    s.each_value(lambda value: {"true": "1", "false": ""}.get(value, value))


@faulty("true-as-one-false-as-zero", "true and false were signed as 1 and 0.", r"true|false|bool", on=TYPED)
def true_as_one_false_as_zero(s):
    s.each_value(lambda value: {"true": "1", "false": "0"}.get(value, value))


@faulty(
    "one-as-true",
    "The 1 that was sent for a boolean was signed as true.",
    r"true|bool",
    on=get("https://api.example.com/v1/items?active=1&hidden=0&page=3"),
)
def one_as_true(s):
    s.each_value(lambda value: {"1": "true", "0": "false"}.get(value, value))


@faulty(
    "empty-dropped",
    "Parameters without a value were not signed.",
    r"empty|without (a )?value|no value|blank",
    source="https://github.com/guzzle/oauth-subscriber/issues/65",
    on=EMPTY_VALUES,
)
def empty_dropped(s):
    s.change("application", lambda found: [pair for pair in found if pair[1]])


@faulty(
    "null-signed-not-sent",
    "A parameter whose value is null was signed, though it was not sent.",
    r"null|not sen[dt]|never sent|extra|additional|further|does not have|no such|undefined|more parameter",
    on=PHOTOS,
)
def null_signed_not_sent(s):
    s.change("application", lambda found: [*found, ("page", "")])


@faulty("no-equals-sign", "A parameter without a value was signed without the =.", r"=|equals", on=EMPTY_VALUES)
def no_equals_sign(s):
    s.normalized = lambda: "&".join(f"{name}={value}" if value else name for name, value in s.sort(s.encoded()))


@faulty("decimals-lost", "10.00 was signed as the number 10.", r"decimal|number|zero|\.0|float|fraction", on=DECIMALS)
def decimals_lost(s):
    s.each_value(lambda value: value.removesuffix(".00"))


@faulty("number-as-float", "Whole numbers were signed with .0.", r"decimal|number|\.0|float|fraction", on=DECIMALS)
def number_as_float(s):
    s.each_value(lambda value: value + ".0" if value.isdigit() else value)


@faulty(
    "number-with-exponent",
    "A large number was signed with an exponent.",
    r"exponent|scientific|1e|number|float",
    on=DECIMALS,
)
def number_with_exponent(s):
    s.each_value(lambda value: "1e+06" if value == "1000000" else value)


@faulty(
    "trimmed",
    "Blanks at the ends of values were trimmed.",
    r"trim|blank|space|strip",
    source="https://github.com/cerpus/Edlib/pull/2775",
    on=PADDED,
)
def trimmed(s):
    s.each_value(str.strip)


@faulty(
    "trimmed-line-end",
    "The line end behind a value was trimmed.",
    r"trim|line (break|end|feed)|new ?line|strip|space|blank",
    on=PADDED.sending(b"text=Hello%0D%0A&id=7"),
)
def trimmed_line_end(s):
    s.each_value(str.rstrip)


@faulty(
    "blanks-collapsed",
    "Runs of blanks in values were collapsed to one.",
    r"collaps|blank|space",
    on=PADDED.sending(b"text=a%20%20b&id=7"),
)
def blanks_collapsed(s):
    s.each_value(lambda value: re.sub(" +", " ", value))


@faulty(
    "lf-to-crlf",
    "LF in a value was signed as CR LF, as a browser sends a text area.",
    r"line (break|end|feed)|new ?line|CR ?LF|\\r",
    on=UNIX_LINES,
)
def lf_to_crlf(s):
    s.each_value(lambda value: value.replace("\n", "\r\n"))


@faulty(
    "equal-pairs-once",
    "Two equal parameters were signed once.",
    r"duplicate|repeated|equal|once|identical|same name|last|first|twice",
    on=SAME_TWICE,
)
def equal_pairs_once(s):
    s.change("application", lambda found: list(dict.fromkeys(found)))


@faulty(
    "names-lower-case",
    "The names were turned into lower case.",
    r"lower|case",
    on=get("https://api.example.com/v1/items?PageSize=9&SortOrder=asc"),
)
def names_lower_case(s):
    s.each_name(str.lower)


@faulty("deep-object", "An object within an object was signed as [object Object].", r"object Object", on=DEEP_NESTED)
def deep_object(s):
    s.change("application", lambda found: [("a[b]", "[object Object]"), *(p for p in found if "[" not in p[0])])


@faulty(
    "one-value-lower-case",
    "Of two values one was turned into lower case.",
    r"lower",
    on=get("https://api.example.com/v1/people?email=Al%40Example.com&name=Al"),
)
def one_value_lower_case(s):
    s.change("application", lambda found: [(n, v.lower() if n == "email" else v) for n, v in found])


@faulty("float-digits", "19.99 was signed with 17 digits.", r"float|number", on=PRICE)
def float_digits(s):
    s.each_value(lambda value: f"{float(value):.17g}")


@faulty(
    "date-as-seconds",
    "A date was signed as the seconds since 1970.",
    r"date|second",
    on=get("https://api.example.com/v1/items?since=2015-12-22T00%3A00%3A00Z"),
)
def date_as_seconds(s):
    s.each_value(lambda value: "1450742400")
