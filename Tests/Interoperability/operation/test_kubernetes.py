"""The manifests of config/kubernetes: validated against the API's schemas and the restricted Pod Security Standard,
every name looked up, the configurations checked, and the proxy run with Secrets as the kubelet mounts them."""

import base64
import copy
import os
import random
import re
import shlex
import shutil
import subprocess
import tempfile
import threading
from collections import Counter
from pathlib import Path

import kubernetes_validate
import pytest
import yaml

from conftest import binary
from harness.applications import remember, secret
from harness.clients import CURL, ClientError, Request
from harness.container import ROOT, USER
from harness.etcd import Etcd
from harness.paraph import Paraph
from harness.ports import held_port
from harness.programs import need, verified
from harness.waiting import LIMIT, wait_until
from harness.xauth import XAuth

PLACE = ROOT / "config" / "kubernetes"
DOCUMENT = ROOT / "docs" / "kubernetes.md"
OLDEST = {"sidecar": "1.29", "classic-sidecar": "1.25", "shared": "1.30"}
NEWEST = "1.37"
# A cluster without the operator refuses it, and with it all that is applied at once.
MONITOR = "servicemonitor.yaml"


def parse(text):
    return [document for document in yaml.safe_load_all(text) if document]


def load(name):
    return parse((PLACE / name).read_text())


def kustomization(folder):
    (found,) = load(f"{folder}/kustomization.yaml")
    return found


def resources(folder):
    """What the kustomization names, which is all that there is but for what needs the Prometheus operator."""
    names = kustomization(folder)["resources"]
    others = {"kustomization.yaml", "paraph.yaml"} | ({MONITOR} if folder == "shared" else set())
    assert set(names) == {path.name for path in (PLACE / folder).iterdir()} - others
    return [document for name in names for document in load(f"{folder}/{name}")]


def built(folder):
    """What kustomize makes of it; nothing where there is none."""
    for words in (["kubectl", "kustomize"], ["kustomize", "build"]):
        if shutil.which(words[0]):
            done = subprocess.run([*words, PLACE / folder], capture_output=True, text=True, timeout=LIMIT)
            assert done.returncode == 0, done.stderr
            return parse(done.stdout)
    return []


def pods(folder):
    return [each["spec"]["template"] for each in resources(folder) if each["kind"] in ("Deployment", "Job")]


def containers(pod):
    return [*pod["spec"].get("initContainers", []), *pod["spec"]["containers"]]


@pytest.fixture(params=sorted(OLDEST))
def folder(request):
    return request.param


def test_every_folder_is_looked_at():
    assert {path.name for path in PLACE.iterdir()} == OLDEST.keys()
    for name, version in OLDEST.items():
        assert re.search(rf"^\| `{name}` \|.*\| {re.escape(version)} or newer \|$", DOCUMENT.read_text(), re.M)
    assert f"Kubernetes {NEWEST}" in DOCUMENT.read_text()


# Schemas


def validate(document, version):
    kubernetes_validate.validate(document, version, strict=True)


def test_the_schemas(folder):
    rendered = built(folder)
    # The ConfigMap is generated.
    assert len(rendered) in (0, len(resources(folder)) + 1)
    for document in resources(folder) + rendered:
        for version in (OLDEST[folder], NEWEST):
            validate(document, version)


def test_a_mistake_is_found_by_the_schemas():
    (deployment,) = load("sidecar/deployment.yaml")
    deployment["spec"]["template"]["spec"]["containers"][0]["imagePullPolice"] = "Always"
    with pytest.raises(kubernetes_validate.ValidationError):
        validate(deployment, NEWEST)


# The restricted Pod Security Standard

VOLUMES = {"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret"}


def violations(pod):
    spec = pod["spec"]
    of_pod = spec.get("securityContext", {})
    if any(spec.get(name) for name in ("hostNetwork", "hostPID", "hostIPC")):
        yield "a namespace of the host"
    if of_pod.get("sysctls"):
        yield "sysctls"
    for volume in spec.get("volumes", []):
        if not volume.keys() - {"name"} <= VOLUMES:
            yield f"volume {volume['name']}"
    for container in containers(pod):
        own = container.get("securityContext", {})
        both, capabilities = {**of_pod, **own}, own.get("capabilities", {})
        rules = {
            "privileged": not own.get("privileged"),
            "allowPrivilegeEscalation": own.get("allowPrivilegeEscalation") is False,
            "capabilities dropped": "ALL" in capabilities.get("drop", []),
            "capabilities added": set(capabilities.get("add", [])) <= {"NET_BIND_SERVICE"},
            "runAsNonRoot": both.get("runAsNonRoot") is True,
            "runAsUser": both.get("runAsUser") != 0,
            "seccompProfile": both.get("seccompProfile", {}).get("type") in ("RuntimeDefault", "Localhost"),
            "procMount": own.get("procMount", "Default") == "Default",
            "seLinuxOptions, appArmorProfile": not {"seLinuxOptions", "appArmorProfile"} & both.keys(),
            "hostPort": not any(port.get("hostPort") for port in container.get("ports", [])),
        }
        yield from (f"{container['name']}: {name}" for name, holds in rules.items() if not holds)


def test_the_restricted_standard(folder):
    for pod in pods(folder):
        assert not list(violations(pod))
        for container in containers(pod):
            assert container["securityContext"]["readOnlyRootFilesystem"] is True
            assert container["resources"]["limits"]["memory"]
        assert pod["spec"]["automountServiceAccountToken"] is False


@pytest.mark.parametrize(
    "path, value",
    [
        ("hostNetwork", True),
        ("volumes 0", {"name": "x", "hostPath": {"path": "/"}}),
        ("securityContext runAsNonRoot", False),
        ("securityContext seccompProfile", {"type": "Unconfined"}),
        ("initContainers 0 securityContext runAsUser", 0),
        ("initContainers 0 securityContext capabilities", {"drop": ["NET_RAW"]}),
        ("initContainers 0 securityContext allowPrivilegeEscalation", True),
        ("containers 0 securityContext", {}),
    ],
)
def test_a_violation_is_found(path, value):
    (pod,) = pods("sidecar")
    changed = copy.deepcopy(pod)
    place, (*steps, last) = changed["spec"], [int(step) if step.isdigit() else step for step in path.split()]
    for step in steps:
        place = place[step]
    place[last] = value
    assert list(violations(changed))


# Names


def by_hand(folder):
    """The keys of each Secret and ConfigMap that the document's commands make for the folder."""
    folder = "sidecar" if folder == "classic-sidecar" else folder
    text = DOCUMENT.read_text().replace("\\\n", " ")
    before = text[: text.index(f"kubectl apply -k config/kubernetes/{folder}\n")]
    made = {}
    for line in before[before.rindex("```sh") :].splitlines():
        if not line.startswith("kubectl create"):
            continue
        _, _, kind, *words = shlex.split(line)
        name = words[1] if kind == "secret" else words[0]
        files = {word.removeprefix("--from-file=") for word in words if word.startswith("--from-file=")}
        made["Secret" if kind == "secret" else "ConfigMap", name] = files
    return made


def sources(folder):
    """The keys of each Secret and ConfigMap that there is."""
    made = kustomization(folder)["configMapGenerator"]
    generated = {("ConfigMap", each["name"]): set(each["files"]) for each in made}
    for files in generated.values():
        assert all((PLACE / folder / name).is_file() for name in files)
    return {**by_hand(folder), **generated}


def mounted_sources(pod):
    """Of each volume with one: its name, and the Secret or ConfigMap."""
    for volume in pod["spec"]["volumes"]:
        if "configMap" in volume:
            yield volume["name"], ("ConfigMap", volume["configMap"]["name"])
        if "secret" in volume:
            yield volume["name"], ("Secret", volume["secret"]["secretName"])


def test_every_name_is_there(folder):
    known, used = sources(folder), set()
    for pod in pods(folder):
        volumes = {volume["name"] for volume in pod["spec"]["volumes"]}
        assert volumes == {mount["name"] for container in containers(pod) for mount in container["volumeMounts"]}
        used.update(source for _, source in mounted_sources(pod))
        for container in containers(pod):
            for setting in container.get("env", []):
                if "valueFrom" in setting:
                    reference = setting["valueFrom"]["secretKeyRef"]
                    assert reference["key"] in known["Secret", reference["name"]]
            ports = {port["name"] for port in container.get("ports", [])}
            for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
                assert container.get(probe, {}).get("httpGet", {}).get("port") in {None, *ports}
    assert used == known.keys()


def test_secrets_are_the_proxys_alone(folder):
    for pod in pods(folder):
        secrets = {volume for volume, (kind, _) in mounted_sources(pod) if kind == "Secret"}
        for container in containers(pod):
            mounts = {mount["name"]: mount for mount in container["volumeMounts"]}
            if container["image"] == "paraph":
                assert secrets <= mounts.keys() and all(mounts[name]["readOnly"] for name in secrets)
                assert not container.get("env")
            else:
                assert not secrets & mounts.keys() and "state" not in mounts
                assert all(mount["readOnly"] for mount in mounts.values())


def test_the_pieces_of_the_shared_proxy_belong_together():
    documents = {(each["kind"], each["metadata"]["name"]): each for each in resources("shared")}

    def matches(selector, labels):
        return selector["matchLabels"].items() <= labels.items()

    pod = documents["Deployment", "paraph"]["spec"]["template"]
    labels, (container,) = pod["metadata"]["labels"], pod["spec"]["containers"]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    service = documents["Service", "paraph"]
    assert service["spec"]["selector"].items() <= labels.items()
    assert {port["name"]: port["port"] for port in service["spec"]["ports"]} == ports
    assert all(port["targetPort"] == port["name"] for port in service["spec"]["ports"])
    assert matches(documents["PodDisruptionBudget", "paraph"]["spec"]["selector"], labels)
    (document,) = load(f"shared/{MONITOR}")
    assert (document["apiVersion"], document["kind"]) == ("monitoring.coreos.com/v1", "ServiceMonitor")
    monitor = document["spec"]
    assert monitor.keys() == {"selector", "endpoints"}
    assert f"\nkubectl apply --filename=config/kubernetes/shared/{MONITOR}\n" in DOCUMENT.read_text()
    assert matches(monitor["selector"], service["metadata"]["labels"])
    assert [(endpoint["port"], endpoint["path"]) for endpoint in monitor["endpoints"]] == [("admin", "/metrics")]
    policy = documents["NetworkPolicy", "paraph"]["spec"]
    assert matches(policy["podSelector"], labels)
    assert [rule["ports"][0]["port"] for rule in policy["ingress"]] == ["proxy", "admin"]

    application = documents["Deployment", "application"]["spec"]["template"]
    assert matches(policy["ingress"][0]["from"][0]["podSelector"], application["metadata"]["labels"])
    settings = {each["name"]: each.get("value") for each in application["spec"]["containers"][0]["env"]}
    (configuration,) = load("shared/paraph.yaml")
    (client,) = (each["name"] for each in configuration["access"]["clients"])
    name = service["metadata"]["name"]
    assert settings["HTTPS_PROXY"] == f"http://{client}:$(PARAPH_CLIENT_PASSWORD)@{name}:{ports['proxy']}"
    assert configuration["listen"]["proxy"].endswith(f":{ports['proxy']}")
    assert configuration["listen"]["admin"]["address"].endswith(f":{ports['admin']}")


def assert_has_liveness_by_command(container):
    probe = container["livenessProbe"]
    assert probe["exec"]["command"] == ["/usr/bin/paraph", "health", "--live"]
    assert probe["periodSeconds"] * probe["failureThreshold"] == 60, "as the document says"


def test_a_sidecar_is_there_before_the_application_and_ends_with_a_job():
    (pod,) = pods("sidecar")
    (sidecar,) = pod["spec"]["initContainers"]
    assert sidecar["restartPolicy"] == "Always"
    assert sidecar["startupProbe"]["exec"]["command"] == ["/usr/bin/paraph", "health"]
    assert_has_liveness_by_command(sidecar)
    jobs = 0
    for pod in pods("classic-sidecar"):
        first, other = pod["spec"]["containers"]
        assert first["lifecycle"]["postStart"]["exec"]["command"][:3] == ["/usr/bin/paraph", "health", "--wait"]
        assert first["image"] == "paraph" and not pod["spec"].get("initContainers")
        assert_has_liveness_by_command(first)
        if pod["spec"].get("restartPolicy") == "Never":
            jobs += 1
            (script,) = other["args"]
            assert script.startswith("trap 'curl") and "-X POST http://127.0.0.1:8081/quit" in script
    assert jobs == 1


# The program, with what a pod mounts


@pytest.fixture
def open_folder():
    """One that every user may go into, as those of pytest's are not."""
    made = Path(tempfile.mkdtemp(prefix="paraph-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


def follow(place, begin, end, *change):
    """Runs the document's commands from one to another in a folder, whose files are returned."""
    text = DOCUMENT.read_text()
    text = text[text.index(begin) :]
    text = text[: text.index(end)]
    for old, new in change:
        assert old in text
        text = text.replace(old, new)
    (place / "bin").mkdir(exist_ok=True)
    (place / "bin/paraph").unlink(missing_ok=True)
    (place / "bin/paraph").symlink_to(binary())
    environment = {**Paraph.environment(), "PATH": f"{place}/bin:{os.environ['PATH']}"}
    done = subprocess.run(
        ["sh", "-euc", text], cwd=place, capture_output=True, text=True, timeout=LIMIT, env=environment
    )
    assert done.returncode == 0, done.stderr
    return {path.name: path.read_text() for path in place.iterdir() if path.is_file()}


@pytest.fixture(scope="module")
def make_authority(tmp_path_factory):
    """Makes the files of a CA as the document's commands do, for given hosts."""

    def make(hosts):
        hosts = ("api.twitter.com, api.x.com", ", ".join(hosts))
        return follow(
            tmp_path_factory.mktemp("ca"), "cat >ca.yaml", "kubectl create secret generic paraph-ca", hosts
        )

    return make


def test_another_host_for_the_shared_proxy(tmp_path):
    need("kubectl", ["kubectl", "version", "--client"])
    before = follow(tmp_path, "cat >ca.yaml", "kubectl create secret generic paraph-ca")
    left = {"bin", "ca.yaml", "ca.pem", "ca.pem.anchors", "ca.key", "roots.pem"}
    assert {path.name for path in tmp_path.iterdir()} == left
    (tmp_path / "ca.yaml").write_text(before["ca.yaml"].replace("api.x.com]", "api.x.com, upload.x.com]"))
    # Without a cluster, no further than to what it would be given.
    change = ("| kubectl apply --filename=-", ">>given; echo --- >>given")
    after = follow(tmp_path, "paraph ca renew --config", "kubectl apply -k", change)
    kept = {path.name for path in tmp_path.iterdir() if not path.name.startswith("ca.pem.old-")}
    assert kept == {*left, "given"}
    assert after["ca.key"] == before["ca.key"] and after["ca.pem"] != before["ca.pem"]
    assert after["roots.pem"].endswith(after["ca.pem"]) and before["ca.pem"] not in after["roots.pem"]
    secret, configuration, _ = yaml.safe_load_all(after["given"])
    decoded = {name: base64.b64decode(data).decode() for name, data in secret["data"].items()}
    assert decoded == {name: after[name] for name in ("ca.pem", "ca.key", "ca.pem.anchors")}
    assert configuration["data"] == {"roots.pem": after["roots.pem"]}
    done = subprocess.run(
        [binary(), "check", "--config", "ca.yaml"], cwd=tmp_path, capture_output=True, text=True, timeout=LIMIT,
        env=Paraph.environment(),
    )  # fmt: skip
    assert done.returncode == 0 and "does not reach" not in done.stderr, done.stderr


def mounts(folder):
    """Of each Secret of the proxy's pod: where it is mounted, below /run."""
    pod = pods(folder)[0]
    (proxy,) = (container for container in containers(pod) if container["image"] == "paraph")
    places = {mount["name"]: mount["mountPath"] for mount in proxy["volumeMounts"]}
    found = {name: places[volume] for volume, (kind, name) in mounted_sources(pod) if kind == "Secret"}
    assert all(place.startswith("/run/") for place in found.values())
    return {name: place.removeprefix("/run/") for name, place in found.items()}


def put(mount, files):
    """A Secret as the kubelet mounts it, and puts another one into its place: root's files of mode 0440 and the pod's
    group, by way of one link that is swapped."""
    mount.mkdir(parents=True, exist_ok=True)
    version = Path(tempfile.mkdtemp(prefix="..", dir=mount))
    version.chmod(0o755)
    for name, content in files.items():
        (version / name).write_text(content)
        os.chown(version / name, 0, USER)
        (version / name).chmod(0o440)
        if not (mount / name).is_symlink():
            (mount / name).symlink_to(f"..data/{name}")
    (mount / "..new").symlink_to(version.name)
    (mount / "..new").replace(mount / "..data")


def put_all(folder, place, contents):
    for name, mount in mounts(folder).items():
        put(place / mount, {key: contents[key] for key in by_hand(folder)["Secret", name]})


def moved(folder, place):
    """The text of the configuration, with what the pod mounts in another place."""
    text = (PLACE / folder / "paraph.yaml").read_text()
    return text.replace("/run/secrets", f"{place}/secrets").replace("/var/lib/paraph", f"{place}/state")


def as_the_pods_user():
    if os.geteuid() != 0:
        pytest.skip("only root can be another user")
    return {"user": USER, "group": USER, "extra_groups": []}


def vault_key():
    return remember(base64.b64encode(os.urandom(32)).decode())


def test_paraph_check_finds_nothing(folder, open_folder, make_authority):
    identity = as_the_pods_user()
    keys = set().union(*by_hand(folder).values())
    authority = make_authority(["api.twitter.com", "api.x.com"])
    etcd = {"vault-key": vault_key(), "etcd-ca.pem": authority["ca.pem"]}
    put_all(folder, open_folder, {**{key: secret(key) for key in keys}, **authority, **etcd})
    file = open_folder / "paraph.yaml"

    def check():
        return subprocess.run(
            [binary(), "check", "--config", file], capture_output=True, text=True, timeout=LIMIT, **identity,
            env=Paraph.environment(),
        )  # fmt: skip

    file.write_text(moved(folder, open_folder))
    done = check()
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 1, done
    said = [line for line in done.stderr.splitlines() if ": note: " not in line]
    # The document says so, too.
    in_clear_text = [line for line in said if "in clear text" in line]
    assert said == in_clear_text and len(said) == (2 if folder == "shared" else 0), done.stderr
    file.write_text(file.read_text().replace("/consumer-secret", "/consumer-secrets"))
    assert check().returncode == 65


@pytest.mark.parametrize("works", [True, False])
def test_the_work_of_a_job_ends_the_proxy(open_folder, world, certificates, works):
    """Both containers' command lines, on this machine's loopback."""
    identity = as_the_pods_user()
    need("curl", ["curl"])
    (pod,) = (pod for pod in pods("classic-sidecar") if pod["spec"].get("restartPolicy") == "Never")
    proxy, work = containers(pod)
    put_all("classic-sidecar", open_folder, world.secrets)
    (configuration,) = parse(moved("classic-sidecar", open_folder))
    configuration["apis"]["twitter"].update(
        hosts=[world.HOST], connect_to=world.main.address, tls={"trust": ["root.pem"]}
    )
    (open_folder / "root.pem").write_bytes(certificates.root_file.read_bytes())
    for name in ("state", "published"):
        (open_folder / name).mkdir()
        os.chown(open_folder / name, USER, USER)

    def here(text):
        return text.replace("/run/paraph", f"{open_folder}/published")

    assert proxy["args"][0] == "run"
    words = shlex.join([here(word) for word in proxy["args"][1:]])
    starter = open_folder / "start"
    starter.write_text(f'#!/bin/sh\nexec {shlex.quote(binary())} "$@" {words}\n')
    starter.chmod(0o755)
    path = world.provider.route(lambda call: call.answer() if works else (call.verify(), call.respond(503, [], "")))
    (script,) = work["args"]
    script = script.replace("https://api.twitter.com/1.1/account/verify_credentials.json", f"{world.URL}{path}")
    with held_port() as port, held_port() as admin:
        configuration["listen"] = {"proxy": f"127.0.0.1:{port}", "admin": f"127.0.0.1:{admin}"}
        paraph = Paraph(binary(), open_folder, configuration)
        paraph.starter = str(starter)
        paraph.start(**identity)
        paraph.may_end = True
        done = subprocess.run(
            [*work["command"], here(script).replace("127.0.0.1:8081", f"127.0.0.1:{admin}")],
            capture_output=True, text=True, timeout=LIMIT, env=Paraph.environment(), **identity,
        )  # fmt: skip
        assert done.returncode == (0 if works else 22), done
        assert paraph.wait() == 0
    assert verified(world, path) == 1


@pytest.fixture
def etcd(tmp_path, certificates):
    """A server that speaks TLS to the user `paraph`."""
    need("etcd", ["etcd", "etcdctl"])
    chain = certificates.server("etcd", ["127.0.0.1"])
    found = Etcd(tmp_path, ["--cert-file", chain.file, "--key-file", chain.file], certificates.root_file)
    try:
        yield found.start()
    finally:
        found.end()


def test_secrets_that_the_kubelet_puts_into_place(open_folder, world, certificates, make_authority, etcd):
    """The proxy's user owns none of them, the CA's key included."""
    identity = as_the_pods_user()
    need("curl", ["curl"])
    password, admin = secret("pw"), secret("admin")
    right = {
        **make_authority([world.HOST]),
        "vault-key": vault_key(),
        "etcd-ca.pem": certificates.root_file.read_text(),
        "etcd-password": secret("etcd"),
        **world.secrets,
        "application": password,
        "admin-token": admin,
    }
    etcd.let_only("paraph", right["etcd-password"], "paraph/")
    wrong = {**right, "token-secret": secret("wrong")}
    put_all("shared", open_folder, wrong)
    (configuration,) = parse(moved("shared", open_folder))
    configuration["listen"]["proxy"] = configuration["listen"]["admin"]["address"] = "127.0.0.1:0"
    configuration["apis"]["twitter"].update(
        hosts=[world.HOST], connect_to=world.main.address, tls={"trust": ["root.pem"]}
    )
    configuration["vault"]["etcd"]["endpoints"] = [etcd.url]
    paraph = Paraph(binary(), open_folder, configuration)
    (open_folder / "root.pem").write_bytes(certificates.root_file.read_bytes())
    (open_folder / "state").mkdir()
    os.chown(open_folder / "state", USER, USER)
    paraph.start(**identity)
    ask = [
        "curl", "-so", "/dev/null", "-w", "%{http_code}", "--cacert", open_folder / "secrets/paraph-ca/ca.pem",
        "--proxy", paraph.url, "--proxy-user", f"application:{password}",
    ]  # fmt: skip

    def status():
        path = world.provider.route(lambda call: call.answer())
        words = [*ask, f"{world.URL}{path}"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT, env=Paraph.environment())
        return done.stdout, [record.refused is None for record in world.provider.requests_for(path)]

    assert status()[0] == "401"
    put_all("shared", open_folder, right)
    assert paraph.administer("POST", "/reload", token=admin).status in (200, 204)
    assert status() == ("200", [True])
    assert paraph.stop() == 0


def test_a_rolling_update_under_load(launch, world, etcd):
    """Processes in place of pods: three, each replaced by a new one that is ready before the old one is asked to end, as the
    Deployment has it. Clients go to those that the Service knows at the time."""
    deployment = next(each for each in resources("shared") if each["metadata"]["name"] == "paraph")["spec"]
    assert deployment["replicas"] == 3
    assert deployment["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    server = XAuth(world.provider, world.provider.new_application())
    server.new_user("alice")
    password = secret("etcd")
    etcd.let_only("paraph", password, "paraph/")
    shared = {"endpoints": [etcd.url], "trust": str(etcd.trust), "username": "paraph", "password": password}
    configuration = world.configuration(
        {"main": world.api((world.HOST,), server.application, {"default": {"xauth": server.settings(world, "alice")}})},
        vault={"etcd": shared, "key": vault_key()},
    )
    known = [launch(configuration) for _ in range(deployment["replicas"])]
    asked, served, failures = Counter(), Counter(), []
    stop, lock = threading.Event(), threading.Lock()

    def load(number):
        chance = random.Random(number)
        while not stop.is_set():
            with lock:
                paraph = chance.choice(known)
                asked[paraph] += 1
            try:
                answer = CURL.send(paraph, Request(f"{world.URL}/x?n={number}"))
                if answer.status != 200 or not answer.json["verified"]:
                    failures.append(answer)
            except ClientError as error:
                failures.append(error)
            with lock:
                asked[paraph] -= 1
                served[paraph] += 1

    threads = [threading.Thread(target=load, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    try:
        for old in list(known):
            new = launch(configuration)
            with lock:
                known[known.index(old)] = new
            # The hook: until nobody who knew it is on the way.
            wait_until(lambda: asked[old] == 0, "those who knew the old one")  # noqa: B023
            assert old.stop() == 0
            wait_until(lambda: served[new], "the new one to serve")  # noqa: B023
    finally:
        stop.set()
        for thread in threads:
            thread.join(LIMIT)
    assert not failures, failures[0]
    assert server.requests == 1
