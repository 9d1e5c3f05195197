"""How a faulty signer is declared, and where a folder of them is read."""

import importlib.util
import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

MADE_UP = "made up"


@dataclass(frozen=True)
class Faulty:
    """A signer with a fault, and what has to be said of it."""

    identity: str
    cause: str
    # Regular expressions, each of which has to be found in what is said; ignoring case.
    named_by: tuple
    source: str
    samples: tuple
    build: Callable
    group: str
    # "fault", "same" (no difference), or "other key" (a right signer with another secret, of which nothing is proven).
    expected: str
    # What may be called proven besides.
    allowed: tuple

    def signers(self):
        """The signer for each sample, beside the right one."""
        for sample in self.samples:
            right, wrong = sample.signer(), sample.signer()
            self.build(wrong)
            right.nonce = wrong.nonce
            yield sample, right, wrong

    def check(self):
        """Raises where a fault changes nothing, so that it would be asked for in vain."""
        for sample, right, wrong in self.signers():
            if self.expected == "fault" and (wrong.header(), wrong.seen) == (right.header(), sample.request):
                raise ValueError(f"{self.identity} changes nothing of {sample.request}")


DECLARED = []


def faulty(identity, cause, *named_by, source=MADE_UP, on, expected="fault", allowed=()):
    """Declares the function below as a faulty signer."""

    def declare(build):
        samples = tuple(on) if isinstance(on, (list, tuple)) else (on,)
        group = Path(build.__code__.co_filename).stem
        DECLARED.append(Faulty(identity, cause, named_by, source, samples, build, group, expected, tuple(allowed)))
        return build

    return declare


def read(folder):
    """The faulty signers that the files of a folder declare."""
    DECLARED.clear()
    for number, path in zip(itertools.count(), sorted(Path(folder).glob("*.py"))):
        described = importlib.util.spec_from_file_location(f"faulty_signers_{number}", path)
        described.loader.exec_module(importlib.util.module_from_spec(described))
    names = [one.identity for one in DECLARED]
    doubled = {name for name in names if names.count(name) > 1}
    if doubled:
        raise ValueError(f"declared twice: {sorted(doubled)}")
    for one in DECLARED:
        one.check()
    return list(DECLARED)
