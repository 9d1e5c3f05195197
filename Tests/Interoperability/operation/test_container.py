"""The image of config/container: built of the release, looked at, and the main job done in it, by buildah. Without
buildah, root and the right to mount, the tests are skipped; so they are where another program is tested."""

import os
import re
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
import yaml as pyyaml

from conftest import binary
from harness.container import ROOT, USER, Buildah, ContainedParaph
from harness.ports import held_port
from harness.programs import need, verified
from harness.waiting import LIMIT

FOLDER = ROOT / "config" / "container"
MOST_BYTES = 55_000_000
IMAGE = "localhost/paraph"


@pytest.fixture(scope="module")
def buildah(tmp_path_factory):
    if os.geteuid() != 0 or subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode:
        pytest.skip("this user may not mount anything here, and so run no container")
    folder = tmp_path_factory.mktemp("buildah")
    yield Buildah(folder)
    # Several copies of the image.
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def image(buildah, tmp_path_factory):
    """What the image is, as buildah tells it."""
    release = ROOT / ".build" / "release" / "paraph"
    if not release.exists() or not release.samefile(binary()):
        pytest.skip("an image is made of the release, and what is tested is another program")
    context = tmp_path_factory.mktemp("context")
    shutil.copytree(FOLDER, context / "config/container")
    shutil.copy(ROOT / ".dockerignore", context)
    subprocess.run(
        [ROOT / "Release/build", "packages", context / ".build-packages"], check=True, capture_output=True
    )
    buildah.build(
        IMAGE, context, context / "config/container/Containerfile",
        "--build-arg", f"DEBIAN={buildah.machine}", "--build-arg", "PROGRAM=packaged",
    )  # fmt: skip
    return buildah.inspect(IMAGE)


@pytest.fixture
def container(buildah, image):
    return buildah.container(IMAGE)


def in_image(container):
    """Every path but those that engines put there."""
    root = container.root
    return [path for path in root.rglob("*") if path.relative_to(root).parts[0] not in ("dev", "proc", "sys")]


def test_the_image_says_how_it_is_run(image):
    settings = image["Docker"]["config"]
    assert settings["Entrypoint"] == ["/usr/bin/paraph"] and settings["Cmd"] == ["run"]
    # By number, so that Kubernetes sees that it is not root.
    assert settings["User"] == f"{USER}:{USER}"
    assert settings["Volumes"] == {"/var/lib/paraph": {}}
    assert settings["StopSignal"] == "SIGTERM"
    assert settings["Healthcheck"]["Test"] == ["CMD", "/usr/bin/paraph", "health"]
    labels = {name.removeprefix("org.opencontainers.image."): text for name, text in settings["Labels"].items()}
    assert labels["licenses"] == "Apache-2.0" and labels["title"] == "Paraph" and "OAuth" in labels["description"]
    version = subprocess.run([binary(), "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    assert labels["version"] == version
    assert not [name for name in settings["Env"] if not name.startswith("PATH=")]


def test_the_image_is_small_and_has_one_program(container):
    files = [path for path in in_image(container) if path.is_file()]
    assert 20_000_000 < sum(path.stat().st_size for path in files) < MOST_BYTES
    programs = {path.name for path in files if path.stat().st_mode & 0o111 and path.stat().st_size}
    libraries = {name for name in programs if re.fullmatch(r"(ld-linux.*|lib\w+)\.so\.\d+", name)}
    assert programs - libraries == {"paraph"}
    names = {path.name for path in files}
    assert {"libc.so.6", "libgcc_s.so.1", "ca-certificates.crt", "passwd", "group", "nsswitch.conf"} <= names
    assert not {"sh", "bash", "busybox", "dash"} & names
    done = container.run(["/bin/sh", "-c", "true"])
    assert done.returncode != 0 and "no such file" in done.stderr
    sections = subprocess.run(["readelf", "-SW", container.root / "usr/bin/paraph"], capture_output=True, text=True)
    assert " .text" in sections.stdout and ".symtab" not in sections.stdout


def test_nothing_in_the_image_belongs_to_its_user_but_two_folders(container):
    own = set()
    for path in in_image(container):
        about = path.lstat()
        assert not about.st_mode & (stat.S_ISUID | stat.S_ISGID), path
        if about.st_uid == USER:
            own.add((str(path.relative_to(container.root)), stat.S_IMODE(about.st_mode)))
        elif not path.is_symlink() and path.name != "tmp":
            assert about.st_uid == 0 and not about.st_mode & 0o022, path
    assert own == {("var/lib/paraph", 0o700), ("run/paraph", 0o755)}


def test_the_licences_of_all_that_is_copied_are_in_the_image(container):
    documents = container.root / "usr/share/doc"
    for owner in ("paraph", "libc6", "libgcc-s1", "ca-certificates"):
        assert (documents / owner / "copyright").stat().st_size > 1000
    assert "swift-nio" in (documents / "paraph/paraph.cdx.json").read_text()


@pytest.fixture
def launch_contained(buildah, image, tmp_path):
    """Starts the image's own command, or another one, and stops it as an engine does."""
    mine = []

    def start(configuration, command=None, **files):
        settings = image["Docker"]["config"]
        words = [*settings["Entrypoint"], *(command or settings["Cmd"])]
        mine.append(ContainedParaph(buildah.container(IMAGE), words, tmp_path / "contained", configuration, files))
        return mine[-1].start()

    yield start
    codes = [one.stop() for one in mine if one.running]
    assert set(codes) <= {0}, f"exit codes after SIGTERM: {codes}"


def application(buildah, published, command, environment=None):
    """Runs a command in a container of its own, which has this machine's programs, what is published, and nothing else
    of the proxy's."""
    settings = [word for name, value in (environment or {}).items() for word in ("--env", f"{name}={value}")]
    volumes = [("/usr", "/usr:ro"), (published, "/run/paraph:ro")]
    # Of a name without a path, buildah asks its own PATH.
    words = ["/usr/bin/env", *command]
    return buildah.container(buildah.machine).run(words, volumes, "--user", "1000:1000", *settings)


def test_the_main_job_in_a_container(launch_contained, buildah, world, certificates):
    """Secrets are files, and a name is looked up there; the root is read-only, and the user has no right."""
    token = world.tokens["default"]
    with held_port() as port, held_port() as admin:
        main = world.api(
            connect_to=False,
            accounts={"default": {"token": token.value, "token_secret": {"file": "token-secret"}}},
            oauth1={"consumer_secret": {"file": "consumer-secret"}},
            tls={"trust": ["root.pem"]},
        )
        main["connect_to"] = f"provider.test.example:{world.main.port}"
        paraph = launch_contained(
            world.configuration(
                {"main": main}, listen={"proxy": f"127.0.0.1:{port}", "admin": f"127.0.0.1:{admin}"}
            ),
            ["run", "--publish", "/run/paraph"],
            **{
                "consumer-secret": world.application.secret + "\n",
                "token-secret": token.secret + "\n",
                "root.pem": certificates.root_file.read_text(),
                "hosts": "127.0.0.1 localhost provider.test.example\n",
            },
        )
        status = Path(f"/proc/{paraph.program}/status").read_text()
        assert re.search(rf"^Uid:(\s+{USER}){{4}}$", status, re.M) and re.search(r"^CapEff:\s+0+$", status, re.M)
        mounts = Path(f"/proc/{paraph.program}/mountinfo").read_text().splitlines()
        (root,) = (line.split() for line in mounts if line.split()[4] == "/")
        assert "ro" in root[5].split(",")

        path = world.provider.route(lambda call: call.answer())
        ask = f"set -a; . /run/paraph/env; curl -sSfo /dev/null {world.URL}{path}"
        done = application(buildah, paraph.folder / "published", ["/bin/sh", "-euc", ask])
        assert done.returncode == 0, done.stderr + paraph.tail()
        assert verified(world, path) == 1

        done = paraph.container.run(["/usr/bin/paraph", "health"], paraph.volumes)
        assert (done.returncode, done.stdout) == (0, "ready\n"), done.stderr
        paraph.may_end = True
        assert paraph.stop() == 0
        done = paraph.container.run(["/usr/bin/paraph", "health"], paraph.volumes)
        assert done.returncode == 69
    assert {file.name for file in paraph.state.iterdir()} >= {"ca.key", "vault", "vault.key"}
    assert {file.stat().st_uid for file in paraph.state.iterdir()} == {USER}


def test_what_the_compose_file_says_works(launch_contained, buildah, world, certificates):
    """Both services as they are described, but for the API: that is the provider of these tests."""
    compose = pyyaml.safe_load((FOLDER / "compose.yaml").read_text())
    services = compose["services"]
    context = (FOLDER / services["paraph"]["build"]["context"]).resolve()
    assert context == ROOT and (context / services["paraph"]["build"]["dockerfile"]).is_file()
    assert set(services["paraph"]["secrets"]) == compose["secrets"].keys()
    named = {volume.split(":")[0] for service in services.values() for volume in service["volumes"]}
    # Of this machine, no single files: a reload would not see what takes their place.
    assert named == {"./paraph", *compose["volumes"]} and (FOLDER / "paraph").is_dir()
    assert services["application"]["network_mode"] == "service:paraph"
    assert not {"secrets", "env_file"} & services["application"].keys()
    assert (ROOT / ".gitignore").read_text().count("/config/container/secrets/") == 1

    secrets = world.secrets
    assert secrets.keys() == compose["secrets"].keys()
    text = (FOLDER / "paraph/paraph.yaml").read_text()
    path = world.provider.route(lambda call: call.answer())
    command, settings = services["application"]["command"], services["application"]["environment"]
    with held_port() as port, held_port() as admin:
        text = text.replace("127.0.0.1:8080", f"127.0.0.1:{port}").replace("127.0.0.1:8081", f"127.0.0.1:{admin}")
        configuration = pyyaml.safe_load(text.replace("/run/secrets/", ""))
        twitter = configuration["apis"]["twitter"]
        # The certificates of the provider are for its own name.
        twitter.update(hosts=[world.HOST], connect_to=world.main.address, tls={"trust": ["root.pem"]})
        paraph = launch_contained(
            configuration,
            services["paraph"]["command"],
            **secrets,
            **{"root.pem": certificates.root_file.read_text()},
        )
        settings = {name: value.replace(":8080", f":{port}") for name, value in settings.items()}
        command = [
            word.replace("https://api.twitter.com/1.1/account/verify_credentials.json", f"{world.URL}{path}")
            for word in command
        ]
        done = application(buildah, paraph.folder / "published", command, settings)
        assert done.returncode == 0, done.stderr + paraph.tail()
        assert verified(world, path) == 1
        assert paraph.stop() == 0


def test_docker_compose_reads_the_file(tmp_path):
    need("docker-compose", ["docker-compose"])
    (tmp_path / "container/secrets").mkdir(parents=True)
    (tmp_path / "container/paraph").mkdir()
    for name in ("compose.yaml", "paraph/paraph.yaml"):
        shutil.copy(FOLDER / name, tmp_path / "container" / name)
    done = subprocess.run(
        ["docker-compose", "--file", tmp_path / "container/compose.yaml", "config"],
        capture_output=True, text=True, timeout=LIMIT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert pyyaml.safe_load(done.stdout)["services"].keys() == {"paraph", "application"}
