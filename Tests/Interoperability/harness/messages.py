"""For tests of single HTTP/1.1 messages."""

from .raw import ask


def send_raw(data, close=False):
    """A handler that says exactly these bytes."""

    def handler(call):
        call.read_body()
        call.close = close
        call.send(data)

    return handler


def still_serves(paraph, world):
    ask(paraph, f"{world.URL}/still").verified()
