"""Access tokens in a field that is not Authorization, or behind another word than Bearer."""

import json

import pytest

from harness.applications import secret
from harness.clients import Request

TEMPLATES = {
    "X-Api-Key: {token}": "x-api-key",
    "Authorization: Discogs token={token}": "authorization",
    # Nothing in its name tells that the value is a secret.
    "X-Shop: {token}": "x-shop",
}


class Scene:
    """A provider that takes a token in one field, and looks at every field with credentials."""

    def __init__(self, world, launch, listener, template, signing=None):
        self.token = secret("static")
        self.field = TEMPLATES[template]
        self.expected = template.split(": ", 1)[1].replace("{token}", self.token)
        self.seen = []
        self.resource = world.provider.route(self.answer)
        self.url = f"{world.URL}{self.resource}"
        api = world.api(accounts={"default": {"token": self.token}}, connect_to=listener, signing=signing)
        del api["oauth1"]
        api["bearer"] = {"header": template}
        self.paraph = launch(world.configuration({"main": api}, inspector={"keep": True}, log={"level": "trace"}))

    def answer(self, call):
        names = {self.field, "authorization"}
        found = [(n.decode().lower(), v.decode()) for n, v in call.record.fields if n.decode().lower() in names]
        self.seen.append(found)
        call.respond(200 if found == [(self.field, self.expected)] else 401, [], json.dumps(len(found)).encode())


@pytest.fixture
def scene(world, launch, listeners):
    return lambda template, upstream=1, **options: Scene(world, launch, listeners[upstream], template, **options)


@pytest.mark.parametrize("template", TEMPLATES)
def test_curl_reaches_a_provider_that_checks(scene, curl, versions, template):
    theirs, upstream = versions
    place = scene(template, upstream)
    own = {"X-Api-Key": "mine", "x-shop": "mine", "Authorization": "Bearer mine"}
    # A field that is none of this API's credentials goes on.
    own = {n: v for n, v in own.items() if n.lower() in (place.field, "authorization")}
    for headers in ({}, own):
        answer = curl.send(place.paraph, Request(place.url, headers=headers), f"--http{theirs if theirs == 2 else '1.1'}")
        assert answer.status == 200, place.seen
    status, shown = place.paraph.admin("/requests")
    assert status == 200 and place.resource in shown.decode()
    for number in (one["id"] for one in json.loads(shown)["requests"]):
        details = place.paraph.admin(f"/requests/{number}")[1].decode()
        assert place.token not in details and "mine" not in details
        assert place.field in details.lower(), "the field is there, without its value"
    place.paraph.told("request head to the upstream", place.field.split("-")[-1].title())
    assert place.token not in place.paraph.log() and "mine" not in place.paraph.log()


@pytest.mark.parametrize("name", ["X-Api-Key", "Authorization"])
def test_the_clients_own_is_kept_or_refused(scene, curl, name):
    kept = scene("X-Api-Key: {token}", signing={"on_existing_authorization": "keep"})
    assert curl.send(kept.paraph, Request(kept.url, headers={name: "mine"})).status == 401
    assert kept.seen[-1] == [(name.lower(), "mine")], "nothing was added"
    assert curl.send(kept.paraph, Request(kept.url)).status == 200
    refused = scene("X-Api-Key: {token}", signing={"on_existing_authorization": "refuse"})
    answer = curl.send(refused.paraph, Request(refused.url, headers={name: "mine"}))
    assert answer.status == 403 and f"a field {name} of its own" in answer.body.decode()
    assert not refused.seen
