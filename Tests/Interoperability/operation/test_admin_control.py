"""`POST /reload` and `POST /quit` on the admin listener, and `paraph health`: what a sidecar is managed by."""

import concurrent.futures
import signal
import socket
import subprocess
import threading

import pytest

from harness.applications import secret
from harness.paraph import yaml
from harness.ports import held_port
from harness.raw import ask, request
from harness.reload import Scene
from harness.waiting import LIMIT, wait_until


@pytest.fixture
def scene(world, launch):
    return Scene(world, launch)


def reload(paraph, configuration=None, **options):
    if configuration is not None:
        paraph.reconfigure(configuration)
    return paraph.administer("POST", "/reload", **options)


# Reload


def test_a_reload_is_over_when_it_is_answered(scene):
    with scene.client() as client:
        assert scene.signer(client.exchange(scene.request())) == 0
        for number in (1, 0, 1):
            answer = reload(scene.paraph, (scene.first, scene.second)[number])
            assert answer.status == 200 and answer.value("content-type") == "application/json"
            changed = [f"apis.main.{name}" for name in ("accounts.default.token", "accounts.default.token_secret")]
            changed += [f"apis.main.oauth1.{name}" for name in ("consumer_key", "consumer_secret")]
            expected = {"error": False, "message": "The configuration was reloaded."}
            assert answer.json == {**expected, "added": [], "changed": changed, "removed": []}
            assert scene.signer(client.exchange(scene.request())) == number
    answer = reload(scene.paraph)
    assert (answer.status, answer.body) == (204, b""), "nothing has changed"
    assert scene.paraph.reloads() == {"applied": 4, "refused": 0}


def test_what_comes_and_goes_is_answered(scene, tmp_path):
    both = scene.world.configuration({"main": scene.apis[0], "new": {**scene.apis[1], "hosts": ["new.test.example"]}})
    answer = reload(scene.paraph, both).json
    assert (answer["added"], answer["changed"], answer["removed"]) == (["apis.new"], [], [])
    assert reload(scene.paraph, scene.first).json["removed"] == ["apis.new"]
    (tmp_path / "secret").write_text(scene.applications[0].secret)
    with_file = scene.changed(0, oauth1={**scene.apis[0]["oauth1"], "consumer_secret": {"file": str(tmp_path / "secret")}})
    assert reload(scene.paraph, with_file).json["changed"] == ["apis.main.oauth1.consumer_secret"]
    code, said = scene.paraph.command("ca", "renew")
    assert code == 0, said
    assert reload(scene.paraph).json["changed"] == ["authority"]
    wait_until(lambda: '"changes":"changed authority"' in scene.paraph.log(), "the log to say so")


def test_mistakes_are_answered_with_their_lines(scene):
    answer = reload(scene.paraph, scene.changed(hots="x", tls={"trust": ["gone.pem"]}))
    assert answer.status == 422 and answer.value("content-type") == "application/json"
    told = answer.json
    assert told["error"] is True and told["detail"] == "it has mistakes"
    code, said = scene.paraph.command("check")
    assert code == 65 and told["mistakes"] == said.splitlines() and len(told["mistakes"]) == 2
    assert any("did you mean hosts" in line for line in told["mistakes"])
    assert scene.signer(scene.ask()) == 0
    assert scene.paraph.reloads() == {"applied": 0, "refused": 1}
    assert reload(scene.paraph, scene.second).status == 200
    assert scene.signer(scene.ask()) == 1


def test_an_address_in_use_is_answered(scene, closed_port):
    listen = {"proxy": f"127.0.0.1:{closed_port}", "admin": "127.0.0.1:0"}
    answer = reload(scene.paraph, scene.changed(whole={"listen": listen}))
    assert answer.status == 422 and answer.json["mistakes"] == []
    assert f"127.0.0.1:{closed_port}" in answer.json["detail"] and "in use" in answer.json["detail"]
    assert scene.signer(scene.ask()) == 0


def test_a_reload_that_moves_the_admin_listener_is_answered_where_it_was_asked_for(scene):
    listen = {**scene.paraph.DEFAULTS["listen"], "admin": "127.0.0.2:0"}
    assert reload(scene.paraph, scene.changed(whole={"listen": listen})).status == 200
    wait_until(lambda: scene.paraph.addresses["admin"].startswith("127.0.0.2:"), "the new address to be announced")
    assert reload(scene.paraph, scene.changed(0, whole={"listen": {**listen, "admin": "off"}})).status == 200
    assert scene.signer(scene.ask()) == 0


def test_reloads_at_once_are_each_answered_by_one_that_includes_them(scene):
    """Whoever changes the file and asks sees its change, or a later one, however many ask at the same time."""
    rounds, threads = 10, 8
    signers, lock, written = {}, threading.Lock(), 0

    def change_and_ask(_):
        nonlocal written
        with lock:
            written += 1
            number = written
            # Each change has a host of its own, and those of the changes before.
            hosts = [f"h{n}.wild.test.example" for n in range(1, number + 1)]
            scene.paraph.reconfigure(scene.changed(hosts=[scene.world.HOST, *hosts]))
        assert reload(scene.paraph).status in (200, 204), "204: the reload that took it in was another one's"
        signers[number] = scene.signer(ask(scene.paraph, f"http://h{number}.wild.test.example/x"))

    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        list(pool.map(change_and_ask, range(rounds * threads)))
    assert set(signers.values()) == {1} and len(signers) == rounds * threads
    outcome = scene.paraph.reloads()
    assert outcome["refused"] == 0 and 1 <= outcome["applied"] <= rounds * threads


def test_only_who_has_the_token_is_obeyed(scene):
    token = secret("admin")
    listen = {**scene.paraph.DEFAULTS["listen"], "admin": {"address": "127.0.0.1:0", "token": token}}
    assert reload(scene.paraph, scene.changed(0, whole={"listen": listen})).status == 200
    scene.paraph.reconfigure(scene.changed(1, whole={"listen": listen}))
    for path in ("/reload", "/quit"):
        assert scene.paraph.administer("POST", path).status == 401
        assert scene.paraph.administer("POST", path, token="wrong").status == 401
    assert scene.signer(scene.ask()) == 0 and scene.paraph.running
    assert reload(scene.paraph, token=token).status == 200
    assert scene.signer(scene.ask()) == 1
    scene.paraph.may_end = True
    assert scene.paraph.administer("POST", "/quit", token=token).status == 202
    assert scene.paraph.wait() == 0


# Quit


def test_quit_drains_and_says_so_before(launch, world, hold):
    paraph = launch(world.configuration())
    held = hold()
    with paraph.raw(f"{world.HOST}:443") as busy:
        busy.send(request("GET", held.path, world.HOST))
        assert held.reached.wait(LIMIT)
        paraph.may_end = True
        assert paraph.administer("POST", "/quit").status == 202
        wait_until(lambda: paraph.admin("/readyz")[0] == 503, "the drain to begin")
        assert paraph.administer("POST", "/quit").status == 202, "to ask again hurries nobody"
        answer = paraph.administer("POST", "/reload")
        assert answer.status == 503 and "stopping" in answer.json["message"]
        paraph.name_ports()
        code, said = paraph.command("health")
        assert (code, said) == (69, f"paraph: the proxy at {paraph.addresses['admin']} says: not ready: proxy\n")
        assert paraph.command("health", "--live") == (0, "live\n")
        # As the container's engine does, when somebody has had it end already.
        paraph.signal(signal.SIGTERM)
        held.go.set()
        busy.receive().verified()
    assert paraph.wait() == 0
    assert "told again to stop" not in paraph.log() and '"outcome":"cut off"' not in paraph.log()
    assert paraph.command("health")[0] == 69, "nobody listens any more"
    assert paraph.command("health", "--live")[0] == 69


def test_a_second_signal_cuts_a_quit_short(launch, world, hold):
    paraph = launch(world.configuration())
    held = hold()
    with paraph.raw(f"{world.HOST}:443") as busy:
        busy.send(request("GET", held.path, world.HOST))
        assert held.reached.wait(LIMIT)
        paraph.may_end = True
        assert paraph.administer("POST", "/quit").status == 202
        paraph.signal(signal.SIGTERM)
        assert paraph.stop(number=signal.SIGINT) == 0
        assert busy.is_closed()
    assert "told again to stop" in paraph.log()


def test_quit_is_answered_however_soon_it_ends(launch, world):
    """Nothing is in flight, so that the listener which answers is closed at once."""
    paraph = launch(world.configuration())
    for _ in range(20):
        paraph.may_end = True
        answer = paraph.administer("POST", "/quit")
        assert answer.status == 202 and answer.body.endswith(b"\n")
        assert paraph.wait() == 0
        paraph.start()


# Health


def health(paraph, *options, environment=None):
    """Exit code, standard output, standard error."""
    done = subprocess.run(
        [paraph.binary, "health", *options], capture_output=True, text=True, timeout=LIMIT,
        env={**paraph.environment(), **(environment or {})}, cwd=paraph.folder,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0.0.0.0"])
def test_health_of_a_proxy_that_is_ready(launch, world, host):
    with held_port("0.0.0.0") as port:
        admin = {"address": f"{host}:{port}", "token": secret("admin")}
        listen = {"proxy": "127.0.0.1:0", "admin": admin}
        paraph = launch(world.configuration(listen=listen), wait=False)

        def ready():
            assert paraph.running, paraph.tail()
            return health(paraph)[0] == 0

        wait_until(ready, "the proxy to be ready")
        assert health(paraph) == (0, "ready\n", "")
        assert health(paraph, "--config", str(paraph.file), "--timeout", "30s")[0] == 0
        proxies = dict.fromkeys(("http_proxy", "HTTP_PROXY"), "http://127.0.0.1:9")
        assert health(paraph, environment=proxies)[0] == 0
        # A liveness probe that counted mistakes would end a proxy that serves.
        admin = f"{{address: '{host}:{port}', token: {{env: NOT_SET}}}}"
        paraph.reconfigure(f"listen:\n  admin: {admin}\napis: {{a: {{}}}}\n")
        assert health(paraph)[0] == 0
        paraph.reconfigure("listen: [\n")
        code, said, wrong = health(paraph)
        assert code == 65 and not said and wrong.startswith("paraph.yaml:2:1: ")
        assert paraph.stop() == 0


def test_health_where_it_cannot_be_told(scene):
    paraph, listen = scene.paraph, scene.paraph.DEFAULTS["listen"]
    code, _, wrong = health(paraph)
    assert code == 65 and wrong == (
        "paraph: the admin listener has any free port in paraph.yaml; give listen.admin a port\n"
    )
    paraph.reconfigure(scene.changed(whole={"listen": {**listen, "admin": "off"}}))
    code, _, wrong = health(paraph)
    assert code == 65 and "off in paraph.yaml" in wrong
    assert health(paraph, "--config", "gone.yaml")[0] == 65
    for time in ("0s", "soon", "3", "2h"):
        assert health(paraph, "--timeout", time)[0] == 64


def test_health_where_nobody_or_another_answers(launch, world, tmp_path):
    file = tmp_path / "paraph.yaml"
    paraph = launch(world.configuration())
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        file.write_text(yaml({"listen": {"admin": address}}))
        code, said, wrong = health(paraph, "--config", str(file), "--timeout", "100ms")
        assert (code, said) == (69, "")
        assert wrong == f"paraph: no proxy answers at {address} (listen.admin): it does not answer in time\n"
    with held_port() as port:
        file.write_text(yaml({"listen": {"admin": f"127.0.0.1:{port}"}}))
        code, said, wrong = health(paraph, "--config", str(file))
        assert code == 69 and "nothing listens there" in wrong and len(wrong.splitlines()) == 1
    file.write_text(yaml({"listen": {"admin": world.other.address}}))
    assert health(paraph, "--config", str(file))[0] == 69


def test_health_waits_until_the_proxy_is_ready(launch, world, tmp_path):
    file = tmp_path / "paraph.yaml"
    paraph = launch(world.configuration())
    answers = [
        b"HTTP/1.1 503 Service Unavailable\r\nServer: paraph\r\nContent-Length: 18\r\n\r\nnot ready: proxy\r\n",
        b"HTTP/1.1 200 OK\r\nServer: paraph\r\nContent-Length: 6\r\n\r\nready\n",
    ]
    asked = []

    def serve():
        for answer in answers:
            with listener.accept()[0] as connection:
                asked.append(connection.recv(1 << 16))
                connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        file.write_text(yaml({"listen": {"admin": f"127.0.0.1:{listener.getsockname()[1]}"}}))
        serving = threading.Thread(target=serve)
        serving.start()
        assert health(paraph, "--config", str(file), "--wait", "10m") == (0, "ready\n", "")
        serving.join(LIMIT)
    assert len(asked) == 2
    with held_port() as port:
        file.write_text(yaml({"listen": {"admin": f"127.0.0.1:{port}"}}))
        code, _, wrong = health(paraph, "--config", str(file), "--wait", "200ms")
        assert code == 69 and len(wrong.splitlines()) == 1
    file.write_text(yaml({"listen": {"admin": "off"}}))
    assert health(paraph, "--config", str(file), "--wait", "10m")[0] == 65
