"""A proxy whose configuration changes while clients are served, and the provider that sees who signed."""

import threading

from .raw import ask, request
from .waiting import LIMIT

# A pin of nothing.
UNUSED = "sha256/" + "A" * 42 + "8="


class Scene:
    """A proxy and two configurations, each with an application of its own: who signed tells which one is in force."""

    def __init__(self, world, launch):
        self.world, self.provider = world, world.provider
        self.applications = [world.provider.new_application() for _ in range(2)]
        self.apis = [world.api((world.HOST,), application) for application in self.applications]
        self.first, self.second = (world.configuration({"main": api}) for api in self.apis)
        self.paraph = launch(self.first)

    def changed(self, number=1, whole=None, **entry):
        """The one or the other configuration with something else in it."""
        return self.world.configuration({"main": {**self.apis[number], **entry}}, **(whole or {}))

    def ask(self, path="/x", **options):
        return ask(self.paraph, f"{self.world.URL}{path}", **options)

    def client(self):
        return self.paraph.raw(f"{self.world.HOST}:443")

    def request(self, path="/x", *more):
        return request("GET", path, self.world.HOST, *more)

    def signer(self, answer):
        """0 or 1: whose signature the request had."""
        answer.verified()
        return self.applications.index(self.provider.records[answer.json["record"]].verdict.application)


def half_sent(provider, body):
    """A download that stops in its middle, until it is told to go on."""
    half, go = threading.Event(), threading.Event()

    def handler(call):
        call.verify()
        fields = f"X-Verified: {'yes' if call.record.verdict else 'no'}\r\nContent-Length: {len(body)}"
        call.send(f"HTTP/1.1 200 OK\r\n{fields}\r\n\r\n".encode() + body[: len(body) // 2])
        half.set()
        assert go.wait(LIMIT)
        call.send(body[len(body) // 2 :])

    return provider.route(handler), half, go
