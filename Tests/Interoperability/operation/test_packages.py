"""What `Release/build packages` makes of the release: looked at, installed, used, upgraded and purged."""

import gzip
import json
import os
import pty
import re
import select
import signal
import subprocess
import tarfile
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from conftest import HERE, binary
from harness.programs import need
from harness.waiting import LIMIT, wait_until

ROOT = HERE.parent.parent
LIBRARIES = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8"}


def output(*command, **options):
    options.setdefault("env", ENVIRONMENT)
    ended = subprocess.run(
        [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options
    )
    assert ended.returncode == 0, f"{command} ended with {ended.returncode}:\n{ended.stdout}"
    return ended.stdout


def make(folder):
    need("dpkg-deb", ["dpkg-deb"])
    made = [Path(line) for line in output(ROOT / "Release/build", "packages", folder).splitlines()]
    return {path.name.removesuffix(".gz").rsplit(".", 1)[1]: path for path in made}


def version(package):
    return re.match(r"paraph[-_]([^-_]+)", package.name)[1]


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    release = ROOT / ".build" / "release" / "paraph"
    if not release.exists() or not Path(binary()).exists() or not release.samefile(binary()):
        pytest.skip("packages are made of the release, and what is tested is another program")
    return make(tmp_path_factory.mktemp("packages"))


@pytest.fixture(scope="module")
def unpacked(packages, tmp_path_factory):
    """The tarball, without its first folder."""
    folder = tmp_path_factory.mktemp("unpacked")
    output("tar", "-C", folder, "--strip-components=1", "-xf", packages["tar"])
    return folder


def test_the_same_program_makes_the_same_packages(packages, tmp_path):
    earlier = [path.name.replace(version(path), "0.0.1") for path in packages.values()]
    for name in (*earlier, "paraph-0.0.1-linux-other.tar.gz"):
        (tmp_path / name).touch()
    again = make(tmp_path)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {*(path.name for path in packages.values()), "paraph-0.0.1-linux-other.tar.gz"}
    assert again.keys() == packages.keys() == {"tar", "deb"}
    for kind, path in packages.items():
        assert again[kind].read_bytes() == path.read_bytes(), f"{path.name} differs the second time"


def test_the_version_is_the_same_everywhere(packages, unpacked):
    said = output(unpacked / "bin/paraph", "--version")
    number, commit = re.fullmatch(r"paraph (\S+) \(commit (\S+), release\)\n", said).groups()
    assert version(packages["tar"]) == version(packages["deb"]) == number
    assert output("dpkg-deb", "-f", packages["deb"], "Version") == number + "\n"
    bill = json.loads((unpacked / "share/doc/paraph/paraph.cdx.json").read_text())
    described = bill["metadata"]["component"]
    assert described["version"] == number
    assert described["properties"] == [{"name": "paraph:commit", "value": commit}]


def test_everything_belongs_to_root_and_only_root_may_write(packages, tmp_path):
    plain = tmp_path / "plain.tar"
    with plain.open("wb") as file:
        subprocess.run(["dpkg-deb", "--fsys-tarfile", packages["deb"]], check=True, stdout=file)
    for path in (packages["tar"], plain):
        with tarfile.open(path) as archive:
            for member in archive:
                assert (member.uid, member.gid) == (0, 0), member.name
                assert not member.mode & 0o7022, f"{member.name} has mode {member.mode:o}"


def test_the_program_needs_what_the_package_says_it_needs(packages, unpacked):
    need("readelf", ["readelf"])
    program = unpacked / "bin/paraph"
    dynamic = output("readelf", "--dynamic", "--wide", program)
    assert "RUNPATH" not in dynamic and "RPATH" not in dynamic
    assert set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)) <= LIBRARIES
    # Without it, glibc ends the process when the first thread ends.
    assert "libgcc_s.so.1" in dynamic
    versions = re.findall(r"GLIBC_(\d+)\.(\d+)", output("readelf", "--version-info", "--wide", program))
    newest = max((int(major), int(minor)) for major, minor in versions)
    assert newest <= (2, 34), "Red Hat Enterprise Linux 9 has glibc 2.34"
    depends = output("dpkg-deb", "-f", packages["deb"], "Depends")
    assert "libc6 (>= %d.%d)" % newest in depends and "libgcc-s1" in depends


def test_lintian_finds_nothing(packages):
    need("lintian", ["lintian"])
    root = ["--allow-root"] if os.geteuid() == 0 else []
    output("lintian", *root, "--fail-on", "error,warning", packages["deb"])


def commands(command, above=()):
    words = (*above, command["commandName"])
    yield words
    for each in command.get("subcommands", []):
        if each["commandName"] != "help":
            yield from commands(each, words)


@pytest.mark.parametrize("kind", ["tar", "deb"])
def test_every_link_of_the_documents_leads_somewhere(packages, unpacked, tmp_path, kind):
    folder = unpacked / "share/doc/paraph"
    if kind == "deb":
        output("dpkg-deb", "-x", packages["deb"], tmp_path)
        folder = tmp_path / "usr/share/doc/paraph"
    pages = {page.relative_to(folder) for page in folder.rglob("*.md")}
    assert pages >= {Path("README.md"), Path("SECURITY.md"), *(p.relative_to(ROOT) for p in ROOT.glob("docs/*.md"))}
    links = {
        (page, link)
        for page in pages
        for link in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", (folder / page).read_text())
    }
    assert (Path("README.md"), "docs/install.md") in links
    # Pictures, and what an image is built by.
    assert (Path("README.md"), "docs/inspector.png") in links
    assert (Path("docs/container.md"), "../config/container/Containerfile") in links
    assert [(page, link) for page, link in links if not (folder / page.parent / link).exists()] == []


def test_every_command_has_a_page(unpacked):
    help = json.loads(output(unpacked / "bin/paraph", "--experimental-dump-help"))["command"]
    pages = {path.name for path in (unpacked / "share/man/man1").iterdir()}
    assert pages == {"-".join(words) + ".1" for words in commands(help)}
    text = (unpacked / "share/man/man1/paraph-pins.1").read_text()
    assert r"\-\-check" in text or r"Fl \-check" in text


def test_the_pages_have_no_mistakes(unpacked):
    need("mandoc", ["mandoc"])
    pages = sorted((unpacked / "share/man/man1").iterdir())
    output("mandoc", "-T", "lint", "-W", "warning", *pages)


def test_man_shows_the_pages(unpacked):
    need("man", ["man"])
    for page in sorted((unpacked / "share/man/man1").iterdir()):
        told = subprocess.run(
            ["man", "--warnings", "-l", page], capture_output=True, text=True, env={**ENVIRONMENT, "MANWIDTH": "80"}
        )
        assert told.returncode == 0 and not told.stderr, f"{page.name}: {told.stderr}"
        assert "SYNOPSIS" in told.stdout and page.stem.replace("-", " ") in told.stdout


@pytest.mark.parametrize(
    "shell, file",
    [
        ("bash", "share/bash-completion/completions/paraph"),
        ("zsh", "share/zsh/site-functions/_paraph"),
        ("fish", "share/fish/vendor_completions.d/paraph.fish"),
    ],
)
def test_shells_read_their_completions(unpacked, shell, file):
    need(shell, [shell])
    output(shell, "-n", unpacked / file)


# Names are completed although the rest is missing.
NAMES = """
apis:
  catalogue:
    accounts: {default: {token: t}, maria: {token: u, token_secret: {env: NOT_THERE}}}
"""
# What is typed, with a place for a folder, and what is offered: commands, values, and files.
COMPLETED = [
    ("paraph d", ["demo", "doctor"]),
    ("paraph presets tu", ["tumblr"]),
    ("paraph run --config FOLDER/par", ["FOLDER/paraph.yaml"]),
    ("paraph exec -- tou", ["touch"]),
    ("paraph exec --verbose -- cat FOLDER/oth", ["FOLDER/other"]),
]


NAMED = [
    ("paraph login --config FOLDER/paraph.yaml cat", ["catalogue", "catalogue/default", "catalogue/maria"]),
    ("paraph login catalogue --config FOLDER/paraph.yaml --account m", ["maria"]),
    ("paraph accounts remove --config FOLDER/paraph.yaml catalogue/", ["catalogue/default", "catalogue/maria"]),
]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "paraph.yaml").write_text(NAMES)
    (tmp_path / "other").touch()
    return tmp_path


@pytest.mark.parametrize("typed, offered", COMPLETED + NAMED)
def test_bash_completes(unpacked, folder, typed, offered):
    need("bash", ["bash"])
    file = unpacked / "share/bash-completion/completions/paraph"
    script = """
        . "$1"
        COMP_WORDS=($2) COMP_LINE=$2 COMP_POINT=${#2}
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        function=$(complete -p paraph | sed 's/.*-F \\([^ ]*\\).*/\\1/')
        "$function" paraph "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    path = f"{unpacked / 'bin'}:{os.environ['PATH']}"
    typed = typed.replace("FOLDER", str(folder))
    said = output("bash", "-c", script, "bash", file, typed, env={**ENVIRONMENT, "PATH": path})
    assert said.split() == [one.replace("FOLDER", str(folder)) for one in offered]


@pytest.mark.parametrize("typed, offered", COMPLETED)
def test_fish_completes(unpacked, folder, typed, offered):
    need("fish", ["fish"])
    file = unpacked / "share/fish/vendor_completions.d/paraph.fish"
    path = f"{unpacked / 'bin'}:{os.environ['PATH']}"
    typed = typed.replace("FOLDER", str(folder))
    said = output(
        "fish", "--no-config", "-c", f"source {file}; complete -C '{typed}'", env={**ENVIRONMENT, "PATH": path}
    )
    assert [line.split()[0] for line in said.splitlines()] == [one.replace("FOLDER", str(folder)) for one in offered]


@pytest.mark.parametrize("typed, offered", NAMED)
def test_fish_completes_names(unpacked, folder, typed, offered):
    """On a terminal, for the library's script asks for the cursor."""
    need("fish", ["fish"])
    file = unpacked / "share/fish/vendor_completions.d/paraph.fish"
    environment = {**os.environ, "PATH": f"{unpacked / 'bin'}:{os.environ['PATH']}", "TERM": "xterm", "HOME": str(folder)}
    process, mine = pty.fork()
    if process == 0:
        words = ["fish", "--no-config", "--interactive", "--init-command", f"source {file}; echo sourced"]
        os.execvpe("fish", words, environment)
    seen = bytearray()

    def shows(*words):
        if select.select([mine], [], [], 0.1)[0]:
            seen.extend(os.read(mine, 65536))
        return all(word.encode() in seen for word in words)

    try:
        wait_until(lambda: shows("sourced"), "the shell")
        os.write(mine, typed.replace("FOLDER", str(folder)).encode() + b"\t")
        # What they begin with alike may be left out.
        ends = [one.rpartition("/")[2] for one in offered]
        wait_until(lambda: shows(*ends), f"{offered} to be offered")
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(mine)


def test_the_bill_of_materials_names_what_is_linked(unpacked):
    text = (unpacked / "share/doc/paraph/paraph.cdx.json").read_text()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    bill = json.loads(text)
    references = [component["bom-ref"] for component in bill["components"]]
    assert len(set(references)) == len(references)
    own = bill["metadata"]["component"]["bom-ref"]
    assert {entry["ref"] for entry in bill["dependencies"]} == {own, *references}
    assert {ref for entry in bill["dependencies"] for ref in entry["dependsOn"]} == set(references)

    pins = json.loads((ROOT / "Package.resolved").read_text())["pins"]
    resolved = {pin["identity"]: pin["state"]["version"] for pin in pins}
    versions = {component["name"]: component["version"] for component in bill["components"]}
    packages = {name: version for name, version in versions.items() if name in resolved}
    assert packages == {name: resolved[name] for name in packages}
    assert {"swift-nio", "swift-nio-ssl", "swift-crypto", "hummingbird"} <= packages.keys()
    assert {"boringssl", "llhttp", "xkcp", "swift-runtime", "libyaml", "zlib", "libstdc++"} <= versions.keys()

    notices = (unpacked / "share/doc/paraph/copyright").read_text()
    for component in bill["components"]:
        assert f"\n{component['name']} {component['version']}" in notices


INSTALLATION = """
set -eu
place=$1 old=$2 new=$3
mount --make-rprivate /
mount -t tmpfs tmpfs "$place"
mkdir "$place/upper" "$place/work" "$place/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$place/upper,workdir=$place/work" "$place/root"
mount --rbind /proc "$place/root/proc"
mount --rbind /dev "$place/root/dev"
[ "$old" != -- ] || exit 0
cp "$old" "$place/root/old.deb"
cp "$new" "$place/root/new.deb"
exec chroot "$place/root" sh -euc "$4"
"""

LIFE = """
cd /
if dpkg-query -W paraph >/dev/null 2>&1; then dpkg -P paraph; fi
dpkg -i /old.deb
getent passwd paraph
echo 'listen: {}' >/etc/paraph/paraph.yaml
/usr/bin/paraph --version
/usr/bin/paraph demo --once
links() { find /etc/systemd/system /var/lib/systemd/deb-systemd-helper-enabled -name 'paraph.*' ! -type d; }
[ -z "$(find /etc/systemd/system -name 'paraph.*')" ] || echo 'enabled by itself'
systemctl enable paraph.socket paraph.service
dpkg -i /new.deb
[ "$(find /etc/systemd/system -name 'paraph.*' | wc -l)" = 2 ] || echo 'not enabled any more'
dpkg-query -W -f 'installed ${db:Status-Status} ${Version}\\n' paraph
dpkg --verify paraph
/usr/bin/paraph demo --once
man -w paraph-run
dpkg -L paraph | while read -r path; do [ -d "$path" ] || echo "$path"; done >/files
dpkg -r paraph
mkdir -m 700 /var/lib/paraph
dpkg -P paraph
links | sed 's/^/left behind: /'
while read -r path; do [ ! -e "$path" ] || echo "left behind: $path"; done </files
if [ -e /var/lib/paraph ]; then echo 'state is there'; else echo 'state is gone'; fi
cat /etc/paraph/paraph.yaml
"""


def test_the_package_is_installed_used_upgraded_and_purged(packages, tmp_path):
    """On this machine's own root, beneath a layer in memory that is gone with the test."""
    for program in ("dpkg", "unshare", "man", "curl", "systemd-sysusers", "systemctl"):
        need(program, [program])
    place = tmp_path / "place"
    place.mkdir()

    def inside(old, new, script):
        return ["unshare", "--mount", "sh", "-c", INSTALLATION, "sh", str(place), str(old), str(new), script]

    if os.geteuid() != 0 or subprocess.run(inside("--", "--", ""), capture_output=True).returncode:
        pytest.skip("this user cannot mount a layer over the root here, to install the package in")

    older = tmp_path / "older"
    output("dpkg-deb", "-R", packages["deb"], older)
    control = (older / "DEBIAN/control").read_text()
    newer = version(packages["deb"])
    (older / "DEBIAN/control").write_text(control.replace(f"Version: {newer}", "Version: 0.0.1"))
    output("dpkg-deb", "--root-owner-group", "-Znone", "-b", older, tmp_path / "older.deb")

    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    said = output(
        *inside(tmp_path / "older.deb", packages["deb"], LIFE),
        env={"PATH": path, "HOME": "/root", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"},
        timeout=LIMIT,
    )
    assert said.count("the provider accepts its signature") == 2
    assert f"installed installed {newer}" in said
    assert "/usr/share/man/man1/paraph-run.1.gz" in said
    for mistake in ("enabled by itself", "not enabled any more", "left behind"):
        assert mistake not in said, said
    # The administrator's file stays.
    assert said.rstrip().endswith("listen: {}")
    assert "state is gone" in said
    assert re.search(r"^paraph:x:\d+:\d+:Paraph:/var/lib/paraph:\S*nologin$", said, re.MULTILINE), said


@pytest.mark.parametrize("kind, prefix", [("tar", "/usr/local"), ("deb", "/usr")])
def test_the_service_has_its_program_and_its_user(packages, tmp_path, kind, prefix):
    root = tmp_path / prefix.lstrip("/")
    root.mkdir(parents=True)
    if kind == "tar":
        output("tar", "-C", root, "--strip-components=1", "-xf", packages["tar"])
    else:
        output("dpkg-deb", "-x", packages["deb"], tmp_path)
        depends = output("dpkg-deb", "-f", packages["deb"], "Depends")
        assert "systemd | systemd-standalone-sysusers | systemd-sysusers" in depends
    service = (root / "lib/systemd/system/paraph.service").read_text()
    for program in re.findall(r"^Exec\w+=[-@:+!]*(\S+)", service, re.MULTILINE):
        assert (tmp_path / program.lstrip("/")).exists() or Path(program).exists(), program
    assert f"\nExecStart={prefix}/bin/paraph " in service
    documents = root / "share/doc/paraph"
    assert (documents / "config/systemd/paraph.service").read_text() == service
    assert {path.name for path in (documents / "examples").iterdir()} == {"paraph.example.yaml", "paraph.yaml"}
    for page in re.findall(r"man:(\S+)\(1\)", service):
        assert list((root / "share/man/man1").glob(f"{page}.1*")), page
    (user,) = re.findall(r"^User=(.*)$", service, re.MULTILINE)
    users = (root / "lib/sysusers.d/paraph.conf").read_text()
    assert re.search(rf"^u {user} ", users, re.MULTILINE)


def test_the_changelog_is_the_projects(packages, tmp_path):
    output("dpkg-deb", "-x", packages["deb"], tmp_path)
    folder = tmp_path / "usr/share/doc/paraph"
    assert gzip.decompress((folder / "CHANGELOG.md.gz").read_bytes()) == (ROOT / "CHANGELOG.md").read_bytes()
