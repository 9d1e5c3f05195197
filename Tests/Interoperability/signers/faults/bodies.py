"""Bodies and queries that were signed otherwise than they have to be."""

from signers.faulty import faulty
from signers.sample import EMPTY_VALUES, JSON, MULTIPART, PHOTOS, REPEATED, UPDATE, get, post
from signers.signer import FORM, encode

CHARSET = post("https://api.example.com/v1/albums", b"title=Summer&visible=1", FORM + "; charset=UTF-8")
NOT_SIGNED = (
    r"not sign|unsigned|(does not|did not|without)[^.]*(sign|form|body|query)|left out|leaves out|ignor"
    r"|no (form|query|body)|only|no parameter|lacks|omit"
)


@faulty(
    "json-fields-signed",
    "The fields of the JSON body were signed as if it were a form.",
    r"json",
    source="https://github.com/ciaranj/connect-auth/issues/91",
    on=JSON,
)
def json_fields_signed(s):
    s.form = lambda: [(name, str(value)) for name, value in s.json().items()]


@faulty(
    "json-signed-as-name",
    "The JSON body was taken for a form: one name without a value.",
    r"json|body[^.]*(as|a) (a |one )?(form|name|parameter)",
    on=JSON,
)
def json_signed_as_name(s):
    s.form = lambda: [(s.request.body.decode(), "")]


@faulty(
    "json-signed-as-body-parameter",
    "The JSON body was signed as the value of a parameter named body.",
    r"json|body[^.]*(as|a) (a |one )?(form|name|parameter|value)|parameter (named |called )?.?body",
    on=JSON,
)
def json_signed_as_body_parameter(s):
    s.form = lambda: [("body", s.request.body.decode())]


@faulty(
    "multipart-all-signed",
    "All fields of the multipart body were signed, the file's content too.",
    r"multipart",
    source="https://github.com/ruby-oauth/oauth/issues/5",
    on=MULTIPART,
)
def multipart_all_signed(s):
    s.form = lambda: [("title", "Summer"), ("media", "content")]


@faulty(
    "multipart-file-name-signed",
    "The fields of the multipart body were signed, with the name of the file.",
    r"multipart",
    on=MULTIPART,
)
def multipart_file_name_signed(s):
    s.form = lambda: [("title", "Summer"), ("media", "a.txt")]


@faulty(
    "form-with-charset-not-signed",
    "A form whose Content-Type names a charset was not taken for a form.",
    rf"({NOT_SIGNED})[^.]*(form|body)|(form|body)[^.]*({NOT_SIGNED})",
    source="https://github.com/rdio/api/issues/11",
    on=CHARSET,
)
def form_with_charset_not_signed(s):
    s.form = lambda: []


@faulty(
    "body-as-one-name",
    "The whole form was signed as one name without a value.",
    r"\bone (name|parameter)|whole|as a name|single",
    on=UPDATE,
)
def body_as_one_name(s):
    s.form = lambda: [(s.request.body.decode(), "")]


@faulty(
    "query-not-signed",
    "The parameters of the query were not signed.",
    rf"({NOT_SIGNED})[^.]*(query|url|param)|(query|url|param)[^.]*({NOT_SIGNED})",
    source="https://github.com/ciaranj/node-oauth/issues/326",
    on=[PHOTOS, UPDATE],
)
def query_not_signed(s):
    s.query = lambda: []


@faulty(
    "query-as-first-value",
    "The query was split at its first = alone: all the rest is the value.",
    r"\bone (name|parameter|value)|whole|first|rest|as a (value|parameter)|split|single",
    on=PHOTOS,
)
def query_as_first_value(s):
    name, _, value = PHOTOS.request.parts.query.partition("=")
    s.query = lambda: [(name, value)]


@faulty(
    "query-signed-twice",
    "The query's parameters were signed twice.",
    r"twice|double|duplicat|two times",
    source="https://github.com/restsharp/RestSharp/issues/1188",
    on=PHOTOS,
)
def query_signed_twice(s):
    s.change("query", lambda found: found + found)


@faulty("form-signed-twice", "The form's parameters were signed twice.", r"twice|double|duplicat|two times", on=UPDATE)
def form_signed_twice(s):
    s.change("form", lambda found: found + found)


@faulty(
    "query-in-address",
    "The query is part of the address in the base string, and its parameters are signed too.",
    r"query|\?",
    on=PHOTOS,
)
def query_in_address(s):
    s.change("address", lambda address: address + "?" + s.request.parts.query)


@faulty(
    "query-in-address-alone", "The query is part of the address, and not among the parameters.", r"query|\?", on=PHOTOS
)
def query_in_address_alone(s):
    s.change("address", lambda address: address + "?" + s.request.parts.query)
    s.query = lambda: []


@faulty("question-mark-in-address", "The address ends with the ? of the query.", r"\?|question mark|query", on=PHOTOS)
def question_mark_in_address(s):
    s.change("address", lambda address: address + "?")


@faulty("question-mark-in-name", "The ? stands before the first name.", r"\?|question mark", on=PHOTOS)
def question_mark_in_name(s):
    s.change("query", lambda found: [("?" + found[0][0], found[0][1]), *found[1:]])


@faulty("leading-ampersand", "A & stands before the first parameter.", r"&|ampersand|separator", on=PHOTOS)
def leading_ampersand(s):
    s.change("normalized", lambda text: "&" + text)


@faulty(
    "ampersand-between-groups-lost",
    "No & stands between the query and the protocol's parameters.",
    r"&|ampersand|separator",
    on=get("https://api.example.com/v1/photos?file=vacation.jpg"),
)
def ampersand_between_groups_lost(s):
    s.change("normalized", lambda text: text.replace("&oauth_consumer_key", "oauth_consumer_key"))


@faulty(
    "empty-parameter",
    "An empty name and value were signed, from a stray & in the query.",
    r"empty|&|ampersand|separator",
    on=get("https://api.example.com/v1/photos?size=original&&file=a.jpg"),
)
def empty_parameter(s):
    s.change("query", lambda found: [("", ""), *found])


@faulty(
    "entities-in-query",
    "The query was copied from HTML: &amp; stands for &.",
    r"&amp;|amp;|entit|html",
    on=[PHOTOS, REPEATED],
)
def entities_in_query(s):
    s.change("query", lambda found: [found[0], *(("amp;" + name, value) for name, value in found[1:])])


@faulty(
    "fragment-signed",
    "The fragment was signed with the last value.",
    r"fragment|#top",
    on=get("https://api.example.com/v1/photos?size=original&file=a.jpg#top"),
)
def fragment_signed(s):
    s.change("query", lambda found: [*found[:-1], (found[-1][0], found[-1][1] + "#top")])


@faulty(
    "route-parameters",
    "The framework's route parameters (controller, action) were signed.",
    r"controller|extra|additional|further|more|not sen[dt]|never sent|does not have|route|no such",
    on=PHOTOS,
)
def route_parameters(s):
    s.change("query", lambda found: [*found, ("controller", "photos"), ("action", "index")])


@faulty(
    "cache-buster",
    "The _=number that jQuery puts behind the URL was added after signing.",
    r"\b_\b|cache|not signed|added|lacks|no parameter|drop|left out",
    on=get("https://api.example.com/v1/photos?size=original&_=1764230400123"),
)
def cache_buster(s):
    s.change("query", lambda found: [pair for pair in found if pair[0] != "_"])


@faulty(
    "one-value-differs",
    "A value was changed after signing.",
    r"\bpage\b|another value|value differs|changed",
    on=REPEATED,
)
def one_value_differs(s):
    s.change("query", lambda found: [(n, "2" if n == "page" else v) for n, v in found])


@faulty(
    "empty-and-flag-as-one",
    "A name without = and a name with an empty value are signed with different text: the flag as `flag=flag`.",
    r"active|flag|without (a )?value|no value|empty",
    on=EMPTY_VALUES,
)
def empty_and_flag_as_one(s):
    s.change("query", lambda found: [(n, n if n == "active" else v) for n, v in found])


@faulty(
    "form-in-base-string",
    "The body as it is sent stands behind the parameters in the base string.",
    r"append|unsorted|sort|order|(body|form)[^.]*(behind|end|as it is)",
    on=post("https://api.example.com/v1/places?page=1", b"zip=3000&city=Bern"),
)
def form_in_base_string(s):
    s.form_text = s.request.body.decode()
    s.form = lambda: []
    s.base_string = lambda: "&".join((s.verb(), encode(s.address()), encode(s.normalized() + "&" + s.form_text)))
