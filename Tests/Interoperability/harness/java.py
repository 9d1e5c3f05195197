"""Java programs of `clients/`, each compiled once."""

import atexit
import functools
import shutil
import subprocess
import tempfile
from pathlib import Path

from .waiting import LIMIT

FOLDER = Path(__file__).resolve().parent.parent / "clients"
# What a short life is best begun with.
OPTIONS = ["-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]


def available():
    return shutil.which("java") and shutil.which("javac") and shutil.which("keytool")


@functools.cache
def classes(program):
    folder = tempfile.mkdtemp(prefix="java-classes-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    words = ["javac", *(f"-J{option}" for option in OPTIONS), "-d", folder, str(FOLDER / f"{program}.java")]
    subprocess.run(words, check=True, timeout=LIMIT)
    return folder


def command(program, *options):
    """The words that run it; its arguments go behind them."""
    return ["java", *OPTIONS, *options, "-cp", classes(program), program]
