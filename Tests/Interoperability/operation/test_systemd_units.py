"""The units of config/systemd: checked by systemd's own tools, and the program under the filter of system calls that
the service has. Debian's packages `systemd` and `python3-seccomp`; what is absent has its tests skipped."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import binary
from harness.paraph import Paraph
from harness.raw import ask
from harness.service_manager import Notifications
from harness.waiting import LIMIT

ROOT = Path(__file__).resolve().parents[3]
UNITS = ROOT / "config" / "systemd"
DOCUMENT = ROOT / "docs" / "systemd.md"
# Of systemd-analyze(1), in tenths.
MOST_EXPOSED = 15
PYTHON = "/usr/bin/python3"


def analyze(*arguments):
    if not shutil.which("systemd-analyze"):
        pytest.skip("there is no systemd-analyze (Debian: apt-get install systemd)")
    done = subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, timeout=LIMIT)
    return done.returncode, done.stdout + done.stderr


def settings(name):
    """The values of one setting of the service, in their order."""
    return re.findall(rf"^{name}=(.*)$", (UNITS / "paraph.service").read_text(), re.M)


def test_the_service_is_little_exposed():
    arguments = ["--offline=yes", "--no-pager", f"--threshold={MOST_EXPOSED}", str(UNITS / "paraph.service")]
    code, said = analyze("security", *arguments)
    assert code == 0, said


def test_the_units_have_no_mistake(tmp_path):
    for unit in ("paraph.service", "paraph.socket"):
        # A program has to be there; the pages of the manual are looked for in the packages.
        (tmp_path / unit).write_text((UNITS / unit).read_text().replace("/usr/bin/paraph", "/bin/true"))
    code, said = analyze("verify", "--man=no", str(tmp_path / "paraph.service"), str(tmp_path / "paraph.socket"))
    assert (code, said) == (0, "")


def test_a_failure_is_tried_again_for_as_long_as_it_takes():
    """Beyond the limit of starts systemd gives the service up, and closes the sockets."""
    assert settings("Restart") == ["on-failure"]
    ((pause,), (interval,)) = (
        [int(value.removesuffix("s")) for value in settings(name)] for name in ("RestartSec", "StartLimitIntervalSec")
    )
    (burst,) = map(int, settings("StartLimitBurst"))
    assert pause * (burst - 1) > interval
    # Of what fails each time, the configuration's mistakes alone.
    assert settings("RestartPreventExitStatus") == ["65"]


def expand(word):
    """The system calls of a name, or of a set of them, which may have others in it."""
    if not word.startswith("@"):
        return {word}
    code, said = analyze("syscall-filter", "--no-pager", word)
    assert code == 0, said
    lines = [line.strip() for line in said.splitlines()[1:]]
    return set().union(*(expand(line) for line in lines if line and not line.startswith("#")))


def allowed_calls():
    allowed = set()
    for line in settings("SystemCallFilter"):
        calls = set().union(*map(expand, line.removeprefix("~").split()))
        allowed = allowed - calls if line.startswith("~") else allowed | calls
    return allowed


def test_the_configuration_of_the_service(tmp_path):
    """With the secrets in another place, since nobody writes to /etc for a test."""
    text = (UNITS / "paraph.yaml").read_text()
    assert f"\nstate: /var/lib/{settings('StateDirectory')[0]}\n" in text
    listened = re.findall(r"^ListenStream=(.*)$", (UNITS / "paraph.socket").read_text(), re.M)
    assert re.findall(r"^  (?:proxy|admin): (.*)$", text, re.M) == listened
    # The document's commands put them there.
    (installed,) = re.findall(r"install -m 640 -g paraph (.*) /etc/paraph/secrets/", DOCUMENT.read_text())
    named = re.findall(r"\{file: /etc/paraph/secrets/(.*)\}", text)
    assert named == installed.split()
    file = tmp_path / "paraph.yaml"
    file.write_text(text.replace("/etc/paraph", str(tmp_path)).replace("/var/lib/paraph", str(tmp_path / "state")))
    (tmp_path / "secrets").mkdir()
    for name in named:
        secret = tmp_path / "secrets" / name
        secret.write_text(f"{name}-0123456789\n")
        secret.chmod(0o640)

    def check():
        return subprocess.run(
            [binary(), "check", "--config", file], capture_output=True, text=True, timeout=LIMIT,
            env=Paraph.environment(),
        )  # fmt: skip

    done = check()
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 1, done
    assert [line for line in done.stderr.splitlines() if ": note: " not in line] == []
    (tmp_path / "secrets/token").unlink()
    assert check().returncode == 65


# As systemd does it: RestrictAddressFamilies= by the first argument of socket(2), MemoryDenyWriteExecute= by those that
# make memory executable.
CONFINED = """#!{python}
import os, socket, sys
from seccomp import *
calls = SyscallFilter(defaction=ERRNO(1))
for name in {names!r}:
    if name in ("socket", "mmap", "mprotect"):
        continue
    try:
        calls.add_rule(ALLOW, name)
    except (RuntimeError, ValueError):
        pass  # one of another architecture
for family in {families!r}:
    calls.add_rule(ALLOW, "socket", Arg(0, EQ, getattr(socket, family)))
for protection in (0, 2, 4):
    calls.add_rule(ALLOW, "mmap", Arg(2, MASKED_EQ, 6, protection))
calls.add_rule(ALLOW, "mprotect", Arg(2, MASKED_EQ, 4, 0))
calls.load()
os.execv({binary!r}, [{binary!r}, *sys.argv[1:]])
"""


def test_the_program_does_with_what_the_service_has(launch, world, tmp_path):
    names = allowed_calls()
    assert {"read", "accept4", "prlimit64"} <= names and "mount" not in names
    if subprocess.run([PYTHON, "-c", "import seccomp"], capture_output=True).returncode != 0:
        pytest.skip("there is no seccomp for /usr/bin/python3 (Debian: apt-get install python3-seccomp)")
    paraph = launch(world.configuration())
    usual = paraph.log()
    assert paraph.stop() == 0
    starter = paraph.folder / "start"
    families = settings("RestrictAddressFamilies")[0].split()
    starter.write_text(
        CONFINED.format(python=PYTHON, names=sorted(names), families=families, binary=str(paraph.binary))
    )
    starter.chmod(0o700)
    paraph.starter = str(starter)
    manager = Notifications(str(tmp_path / "notify"))
    paraph.start(environment=manager.environment)
    assert manager.next()["READY"] == "1"
    assert ask(paraph, f"{world.URL}/x").status == 200
    paraph.reload()
    assert ask(paraph, f"{world.URL}/x").status == 200
    status = Path(f"/proc/{paraph.process.pid}/status").read_text()
    assert re.search(r"^Seccomp:\s+2$", status, re.M), "the filter is not there"
    assert paraph.stop() == 0
    manager.close()

    def warnings(log):
        return set(re.findall(r'"level":"(?:warning|error|critical)","message":"([^"]*)"', log))

    assert warnings(paraph.log()) == warnings(usual)
