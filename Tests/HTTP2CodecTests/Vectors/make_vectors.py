"""Writes stories.jsonl and appendix-c.jsonl with the Python package hpack 4.2.0, an implementation of its own.

A line is one header block: the story it belongs to, what it holds, the decoder's table limit, the block in hexadecimal,
the size of the dynamic table after it, and the head in the form of HTTP/1.1 as Latin-1 text. The blocks of one story
come one after the other on one connection. Run it in this folder; it writes the same files each time.
"""
import json
import random

from hpack import Decoder, Encoder, HeaderTuple, NeverIndexedHeaderTuple

NAMES = [
    "user-agent", "accept", "accept-encoding", "accept-language", "content-type", "cache-control", "date", "etag",
    "if-none-match", "referer", "server", "vary", "via", "x-request-id", "last-modified", "location", "priority",
    "sec-fetch-mode", "!#$%&'*+-.^_`|~09az", "x" * 120,
]
VALUES = [
    "", "*/*", "gzip, deflate", "gzip, deflate, br", "no-cache", "application/json; charset=utf-8",
    "Mon, 21 Oct 2013 20:13:21 GMT", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "a\tb",
    "\x80\xff\xe9t\xe9", "".join(chr(n) for n in range(0x21, 0x7F)), "".join(chr(n) for n in range(0x80, 0x100)),
]
PATHS = ["/", "/index.html", "/a?b=%7e&c=%7E", "/1.1/statuses/update.json?include_entities=true", "/" + "p" * 300]
APPENDIX_C = [
    ("C.2.1", "trailers", 4096, "400a637573746f6d2d6b65790d637573746f6d2d686561646572"),
    ("C.2.3", "trailers", 4096, "100870617373776f726406736563726574"),
    ("C.3", "request", 4096, "828684410f7777772e6578616d706c652e636f6d"),
    ("C.3", "request", 4096, "828684be58086e6f2d6361636865"),
    ("C.3", "request", 4096, "828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565"),
    ("C.4", "request", 4096, "828684418cf1e3c2e5f23a6ba0ab90f4ff"),
    ("C.4", "request", 4096, "828684be5886a8eb10649cbf"),
    ("C.4", "request", 4096, "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf"),
    ("C.5", "response", 256, "4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a3133"
     "3a323120474d546e1768747470733a2f2f7777772e6578616d706c652e636f6d"),
    ("C.5", "response", 256, "4803333037c1c0bf"),
    ("C.5", "response", 256, "88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d54c05a04677a"
     "69707738666f6f3d4153444a4b48514b425a584f5157454f50495541585157454f49553b206d61782d6167653d333630303b2076"
     "657273696f6e3d31"),
    ("C.6", "response", 256, "488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d"
     "29ad171863c78f0b97c8e9ae82ae43d3"),
    ("C.6", "response", 256, "4883640effc1c0bf"),
    ("C.6", "response", 256, "88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821d"
     "d7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007"),
]


def head(kind, fields):
    """The head that a decoder makes of a field list."""
    pseudo = {name: value for name, value in fields if name.startswith(":")}
    lines = [(name, value) for name, value in fields if not name.startswith(":")]
    start = ""
    if kind == "request":
        start = f"{pseudo[':method']} {pseudo[':path']} HTTP/2\r\nhost: {pseudo[':authority']}\r\n"
        crumbs = [value for name, value in lines if name == "cookie"]
        lines = [line for line in lines if line[0] != "cookie"]
        if crumbs:
            lines.append(("cookie", "; ".join(crumbs)))
    elif kind == "response":
        start = f"HTTP/2.0 {pseudo[':status']} \r\n"
    return start + "".join(f"{name}: {value}\r\n" for name, value in lines) + "\r\n"


def row(story, kind, limit, block, decoder):
    decoder.max_allowed_table_size = limit
    fields = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in decoder.decode(block, raw=True)]
    return {
        "story": story, "kind": kind, "tableLimit": limit, "block": block.hex(),
        "tableSize": sum(32 + len(name) + len(value) for name, value in decoder.header_table.dynamic_entries),
        "head": head(kind, fields),
    }


def value(random):
    if random.random() < 0.7:
        return random.choices(VALUES, [4] * (len(VALUES) - 1) + [1])[0]
    length = random.choice([1, 3, 10, 20, 30, 40, 127])
    alphabet = random.choice(["0123456789abcdef", "".join(chr(n) for n in range(0x21, 0x7F))])
    return "".join(random.choice(alphabet) for _ in range(length))


def fields(kind, random):
    result = []
    if kind == "request":
        result += [
            (":method", random.choice(["GET", "GET", "POST", "PUT", "DELETE", "PROPFIND"])),
            (":scheme", random.choice(["https", "https", "http"])),
            (":authority", random.choice(["example.com", "api.example.com:8443", "[2001:db8::1]"])),
            (":path", random.choice(PATHS)),
        ]
        random.shuffle(result)
    elif kind == "response":
        result.append((":status", random.choice(["200", "204", "206", "304", "404", "500", "302", "999"])))
    lines = [(random.choice(NAMES), value(random)) for _ in range(random.randint(0, 9))]
    if kind == "request":
        lines += [("cookie", f"c{n}={random.randint(0, 99)}") for n in range(random.randint(0, 3))]
    if kind == "trailers":
        lines = [line for line in lines if line[0].startswith(("x", "!", "etag", "last", "server", "sec", "prio"))]
    random.shuffle(lines)
    return result + lines


def story(number):
    generator = random.Random(number)
    kind = ["request", "response", "trailers"][number % 3]
    limit = [4096, 4096, 256, 65536, 0][number % 5]
    encoder, decoder = Encoder(), Decoder()
    decoder.max_allowed_table_size = decoder.header_table_size = encoder.header_table_size = limit
    encoder.table_size_changes.clear()
    for _ in range(8):
        if generator.random() < 0.2:
            for _ in range(generator.randint(1, 3)):
                encoder.header_table_size = generator.randint(0, limit)
        listed = [
            (NeverIndexedHeaderTuple if generator.random() < 0.15 else HeaderTuple)(
                name.encode("latin-1"), value.encode("latin-1")
            )
            for name, value in fields(kind, generator)
        ]
        block = encoder.encode(listed, huffman=generator.random() < 0.7)
        yield row(f"story {number}", kind, limit, block, decoder)


def write(path, rows):
    with open(path, "w", encoding="ascii") as file:
        for each in rows:
            file.write(json.dumps(each) + "\n")


def appendix_c():
    decoders = {}
    for name, kind, limit, block in APPENDIX_C:
        decoder = decoders.get(name)
        if decoder is None:
            decoder = decoders[name] = Decoder()
            decoder.max_allowed_table_size = decoder.header_table_size = limit
        yield row(name, kind, limit, bytes.fromhex(block), decoder)


write("appendix-c.jsonl", appendix_c())
write("stories.jsonl", (each for number in range(24) for each in story(number)))
