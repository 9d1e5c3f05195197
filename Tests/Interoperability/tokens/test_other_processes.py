"""What other processes of the same user see of one that holds secrets: nothing of its memory, nor of its environment."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from conftest import binary
from harness.paraph import Paraph
from harness.raw import ask
from harness.session import Session
from harness.waiting import LIMIT

# Root may look at everything: the processes are then those of somebody without rights.
NOBODY = 65534
AS_USER = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}

# Says which files of a process can be opened; the kernel decides upon that when they are.
LOOK = 'for name in environ mem maps auxv; do (: </proc/$1/$name) 2>/dev/null && echo $name; done; echo end'
EVERYTHING = ["environ", "mem", "maps", "auxv", "end"]
NOTHING = ["end"]


@pytest.fixture
def place():
    """A folder of that user's, with a copy of the program."""
    folder = Path(tempfile.mkdtemp())
    try:
        shutil.copy2(binary(), folder / "paraph")
        yield folder
    finally:
        shutil.rmtree(folder)


def give(folder):
    if AS_USER:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY)


def seen(pid):
    """What another process of that user could open of this one."""
    words = ["sh", "-c", LOOK, "sh", str(pid)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT, check=True, cwd="/", **AS_USER)
    return done.stdout.split()


def configured(world, place, name="PARAPH_TEST_SECRET"):
    """A configuration that takes a secret from a variable, and that variable."""
    api = world.api()
    api["tls"]["trust"] = [shutil.copy(file, place) for file in api["tls"]["trust"]]
    value = api["oauth1"]["consumer_secret"]
    api["oauth1"]["consumer_secret"] = {"env": name}
    return world.configuration({"main": api}), {name: value}


def test_this_sees_what_can_be_seen():
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, cwd="/", **AS_USER) as other:
        assert seen(other.pid) == EVERYTHING


def test_run_shows_nothing(place, world):
    configuration, variables = configured(world, place)
    proxy = Paraph(place / "paraph", place / "run", configuration)
    give(place)
    proxy.start(environment=variables, **AS_USER)
    try:
        assert seen(proxy.process.pid) == NOTHING
        if AS_USER:
            # Nor does who may look find the variable there.
            environment = Path(f"/proc/{proxy.process.pid}/environ").read_bytes()
            assert b"PATH=" in environment and next(iter(variables.values())).encode() not in environment
        assert ask(proxy, f"{world.URL}/x").verified()["user"]
        # It still knows what the variable said.
        proxy.reload()
        assert ask(proxy, f"{world.URL}/x").verified()["user"]
    finally:
        assert proxy.stop() == 0


@pytest.mark.skipif(not AS_USER, reason="only root may look")
@pytest.mark.parametrize("outcome", ["applied", "refused"])
def test_a_reload_takes_out_what_it_reads_first(launch, world, outcome):
    variables = {"PARAPH_FIRST_TOKEN": "canary-of-the-environment", "PARAPH_OTHER_TOKEN": "still-there"}
    proxy = launch(world.configuration(), environment=variables)
    environment = Path(f"/proc/{proxy.process.pid}/environ")
    assert all(value.encode() in environment.read_bytes() for value in variables.values())
    listen = {**proxy.DEFAULTS["listen"], "admin": {"address": "127.0.0.1:0", "token": {"env": "PARAPH_FIRST_TOKEN"}}}
    more = {} if outcome == "applied" else {"log": {"level": "no such level"}}
    proxy.reload(world.configuration(listen=listen, **more), outcome=outcome)
    said = environment.read_bytes()
    assert b"canary-of-the-environment" not in said and b"still-there" in said
    # It still knows what the variable said.
    proxy.reload(world.configuration(listen=listen))


def test_exec_shows_nothing_to_its_command(place, world):
    configuration, variables = configured(world, place)
    session = Session(place / "paraph", place / "exec", configuration)
    give(place)
    script = f"look() {{ {LOOK}; }}; look $PPID; look $$"
    done = session.run(["sh", "-c", script], environment=variables, **AS_USER)
    assert (done.returncode, done.stdout.decode().split()) == (0, NOTHING + EVERYTHING), done
