"""Files that the configuration names and that change: the proxy takes them by itself, all of it or nothing."""

import itertools

import pytest

from harness.applications import secret
from harness.paraph import yaml
from harness.raw import ask
from harness.waiting import wait_until

FOLDERS = itertools.count(1)


def in_place(path, text):
    path.write_text(text)


def by_rename(path, text):
    """As editors and most programs write a file."""
    fresh = path.with_suffix(".swp")
    fresh.write_text(text)
    fresh.replace(path)


def as_the_kubelet(path, text):
    """A directory of its own, which `..data` leads to; the file's own link leads through that and stays."""
    folder = path.parent
    made = folder / f"..2026_{next(FOLDERS)}"
    made.mkdir()
    (made / path.name).write_text(text)
    data = folder / "..data"
    before = data.resolve() if data.is_symlink() else None
    fresh = folder / "..data_tmp"
    fresh.symlink_to(made.name)
    fresh.replace(data)
    if not path.is_symlink():
        path.symlink_to(f"..data/{path.name}")
    if before:
        (before / path.name).unlink()
        before.rmdir()


class SecretInFile:
    """A proxy whose consumer secret is in a file, and the provider, which gives out another one."""

    def __init__(self, world, launch, folder, write):
        self.world, self.write = world, write
        self.application = world.provider.new_application()
        self.file = folder / "secret"
        write(self.file, self.application.secret + "\n")
        oauth1 = {"consumer_secret": {"file": str(self.file)}}
        self.paraph = launch(world.configuration({"main": world.api((world.HOST,), self.application, oauth1=oauth1)}))

    def ask(self):
        return ask(self.paraph, f"{self.world.URL}/x")

    def change(self):
        self.application.secret = secret("another cs+")
        self.write(self.file, self.application.secret + "\n")

    def reloads(self, **expected):
        wait_until(lambda: self.paraph.reloads() == expected, f"{expected}")


@pytest.mark.parametrize("write", [in_place, by_rename, as_the_kubelet])
def test_a_secret_that_changes_is_taken(world, launch, tmp_path, write):
    scene = SecretInFile(world, launch, tmp_path, write)
    for number in (1, 2, 3):
        scene.ask().verified()
        scene.change()
        scene.reloads(applied=number, refused=0)
        scene.ask().verified()
    told = scene.paraph.told("has changed", count=3)
    assert len(told) == 3 and all(str(scene.file) in line for line in told), scene.paraph.tail()


def test_what_cannot_be_used_is_told_once_and_the_present_one_stays(world, launch, tmp_path):
    scene = SecretInFile(world, launch, tmp_path, in_place)
    before = scene.application.secret
    scene.file.write_text("")
    scene.reloads(applied=0, refused=1)
    scene.ask().verified()
    # Another change is another attempt, of what is there then.
    scene.file.unlink()
    scene.reloads(applied=0, refused=2)
    scene.ask().verified()
    mistakes = scene.paraph.told("the configuration has a mistake", count=2)
    assert len(mistakes) == 2 and "is empty" in mistakes[0] and "no such file" in mistakes[1], mistakes
    scene.file.write_text(before)
    scene.reloads(applied=1, refused=2)
    scene.ask().verified()


def test_a_file_that_a_refused_configuration_lacks_mends_it(world, launch, tmp_path):
    scene = SecretInFile(world, launch, tmp_path, in_place)
    oauth1 = {"consumer_secret": {"file": str(tmp_path / "later" / "secret")}}
    other = world.api((world.HOST,), scene.application, oauth1=oauth1)
    scene.paraph.reload(world.configuration({"main": other}), outcome="refused")
    scene.application.secret = secret("later cs+")
    (tmp_path / "later").mkdir()
    (tmp_path / "later" / "secret").write_text(scene.application.secret)
    scene.reloads(applied=1, refused=1)
    scene.ask().verified()


def test_certificates_that_are_trusted_change(world, launch, tmp_path):
    trust = tmp_path / "trust.pem"
    by_rename(trust, world.certificates.root_file.read_text())
    paraph = launch(world.configuration({"main": world.api((world.HOST,), tls={"trust": [str(trust)]})}))
    ask(paraph, f"{world.URL}/x").verified()
    # The proxy's own CA has signed nothing that the provider has.
    by_rename(trust, paraph.ca.read_text())
    wait_until(lambda: paraph.reloads() == {"applied": 1, "refused": 0}, "the reload")
    ask(paraph, f"{world.URL}/x").problem(502, "tls_certificate_error")
    by_rename(trust, world.certificates.root_file.read_text())
    wait_until(lambda: paraph.reloads() == {"applied": 2, "refused": 0}, "the reload")
    ask(paraph, f"{world.URL}/x").verified()


def test_the_configuration_is_taken_where_the_kubelet_mounts_it(world, launch):
    """Anywhere else somebody edits it, who says when it is to count."""
    applications = [world.provider.new_application() for _ in range(2)]
    configurations = [world.configuration({"main": world.api((world.HOST,), each)}) for each in applications]
    paraph = launch(configurations[0])
    text = paraph.file.read_text()
    paraph.stop()
    paraph.file.unlink()
    as_the_kubelet(paraph.file, text)
    paraph.start()

    def signer():
        answer = ask(paraph, f"{world.URL}/x").verified()
        return applications.index(world.provider.records[answer["record"]].verdict.application)

    assert signer() == 0
    defaults = {name: paraph.configuration[name] for name in ("listen", "state", "log", "timeouts")}
    as_the_kubelet(paraph.file, yaml({**defaults, **configurations[1]}) + "\n")
    wait_until(lambda: paraph.reloads() == {"applied": 1, "refused": 0}, "the reload")
    assert signer() == 1
