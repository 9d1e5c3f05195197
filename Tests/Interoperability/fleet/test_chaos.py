"""Replicas that share their tokens, disturbed by chance for a minute. `Benchmarks/Fleet/run` is the long form of it."""

import os
import secrets
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import binary
from harness.fleet import etcd
from harness.waiting import LIMIT

PROGRAM = Path(__file__).resolve().parents[3] / "Benchmarks/Fleet/run"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="the fleet's harness needs Python 3.11")
@pytest.mark.skipif(not etcd.available(), reason="there is no etcd on this machine")
@pytest.mark.skipif(not shutil.which("gcc"), reason="there is no gcc on this machine")
def test_nothing_comes_of_what_is_done_to_a_fleet(tmp_path):
    """A process of its own, which goes on while this one stands still. SEED repeats a run, as far as chance goes."""
    settings = {"EXCHANGES": "300", "SECONDS": "45", "ACCOUNTS": "20", "CLIENTS": "6", "LOGS": str(tmp_path / "logs")}
    settings["PARAPH"] = binary()
    settings["SEED"] = os.environ.get("SEED") or str(secrets.randbelow(1 << 30))
    done = subprocess.run(
        [sys.executable, PROGRAM],
        env={**os.environ, **settings},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=3 * LIMIT,
    )
    assert done.returncode == 0, f"{PROGRAM.name} ended with {done.returncode}:\n{done.stdout[-8000:]}"
