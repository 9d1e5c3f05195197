"""HTTP/2 frames and field blocks written by hand, so that what no library sends can be sent (RFC 9113, RFC 7541)."""

from collections.abc import Iterable

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
ACK = END_STREAM = 1
END_HEADERS = 4
HEADER_TABLE_SIZE, INITIAL_WINDOW_SIZE = 1, 4
LARGEST = 16_384  # bytes of a frame's payload

METHODS = {"GET": 0x82, "POST": 0x83}
STATUSES = {0x88: 200, 0x89: 204, 0x8A: 206, 0x8B: 304, 0x8C: 400, 0x8D: 404, 0x8E: 500}
# Huffman codes of the digits: 0 to 2 have five bits, the others six.
DIGITS = {f"{digit:05b}": digit for digit in range(3)} | {f"{digit + 22:06b}": digit for digit in range(3, 10)}


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def settings(*pairs: tuple[int, int]) -> bytes:
    return frame(SETTINGS, 0, 0, b"".join(name.to_bytes(2, "big") + value.to_bytes(4, "big") for name, value in pairs))


def integer(value: int, bits: int, first: int = 0) -> bytes:
    """An integer of HPACK whose prefix has so many bits of the first byte."""
    most = (1 << bits) - 1
    if value < most:
        return bytes([first | value])
    out, value = [first | most], value - most
    while value >= 128:
        out.append(value % 128 | 128)
        value //= 128
    return bytes([*out, value])


def text(value: str) -> bytes:
    return integer(len(value), 7) + value.encode()


def literal(name: str, value: str, is_indexed: bool = False) -> bytes:
    """A field; `is_indexed`: it becomes the newest entry of the dynamic table, which is number 62."""
    return (b"\x40" if is_indexed else b"\x00") + text(name) + text(value)


def indexed(number: int) -> bytes:
    return integer(number, 7, 0x80)


def request(method: str, path: str, host: str, fields: Iterable[tuple[str, str]] = ()) -> bytes:
    """The field block of a request."""
    pseudo = bytes([METHODS[method], 0x87]) + b"\x04" + text(path) + b"\x01" + text(host)
    return pseudo + b"".join(literal(name, value) for name, value in fields)


def status(block: bytes) -> int:
    """The status in the field block of a response; 0: not found. The peer must have been given no dynamic table."""
    at = 0
    while at < len(block) and block[at] >> 5 == 1:  # a new size of the dynamic table
        at += 1
        if block[at - 1] & 31 == 31:
            while block[at] & 128:
                at += 1
            at += 1
    if at >= len(block):
        return 0
    if block[at] in STATUSES:
        return STATUSES[block[at]]
    if block[at] not in (0x08, 0x18, 0x48):
        return 0
    length = block[at + 1] & 127
    value = block[at + 2 : at + 2 + length]
    if not block[at + 1] & 128:
        return int(value)
    bits, digits = f"{int.from_bytes(value, 'big'):0{8 * length}b}", []
    while len(digits) < 3:
        size = 5 if bits[:5] in DIGITS else 6
        digits.append(DIGITS[bits[:size]])
        bits = bits[size:]
    return digits[0] * 100 + digits[1] * 10 + digits[2]
