"""The programs of this machine that are run as they are, and what the provider has seen of them."""

import os
import shlex
import shutil
import subprocess

import pytest

NEEDED = {
    "LWP": ["perl", "-MLWP::UserAgent", "-MLWP::Protocol::https", "-e1"],
    "HTTP::Tiny": ["perl", "-MHTTP::Tiny", "-MIO::Socket::SSL", "-e1"],
    "php": ["php", "-r", "exit(function_exists('curl_init') ? 0 : 1);"],
    "aws": ["aws", "--version"],
    "cargo": ["cargo", "--version"],
}


def need(program, words):
    if not shutil.which(words[0]):
        pytest.skip(f"there is no {words[0]} on this machine")
    if program in NEEDED and subprocess.run(NEEDED[program], capture_output=True).returncode:
        pytest.skip(f"this machine's {words[0]} lacks what {program} needs")


def only(folder, *programs):
    """A folder for PATH in which there are only these: each client that the doctor finds takes its time."""
    place = folder / "programs"
    place.mkdir()
    for name in programs:
        need(name, [name])
        # It may itself be a script that needs the usual ones.
        (place / name).write_text(f'#!/bin/sh\nPATH={shlex.quote(os.environ["PATH"])} exec {shutil.which(name)} "$@"\n')
        (place / name).chmod(0o755)
    return str(place)


def verified(world, path, user="default"):
    """Every request for the path had a right signature; how many there were."""
    records = world.provider.requests_for(path)
    assert [r.refused for r in records] == [None] * len(records)
    assert {r.verdict.token.user for r in records} <= {user}
    return len(records)
