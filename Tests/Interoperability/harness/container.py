"""The image of config/container, built and run by buildah in a chroot, where no container engine is needed. Its
processes have a root of their own, and this machine's network."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from .paraph import Paraph
from .programs import need
from .waiting import LIMIT

ROOT = Path(__file__).resolve().parents[3]
USER = 65532
# A root that can only be read, as engines have it, and buildah's own `run` has not. It needs /run for marks of its own.
READ_ONLY = """
mount --make-rprivate /
mount --bind "$1" "$1"
mount -o remount,bind,ro "$1"
mount -t tmpfs -o mode=755 tmpfs "$1/run"
shift
exec "$@"
"""


class Buildah:
    """A storage of images and containers. A test that asks for it is skipped where it is not allowed."""

    def __init__(self, folder):
        need("buildah", ["buildah"])
        self.folder = folder
        self.words = ["buildah", "--storage-driver", "vfs", "--root", f"{folder}/root", "--runroot", f"{folder}/run"]
        links = folder / "links"
        (links / "etc/ssl/certs").mkdir(parents=True)
        shutil.copy("/etc/ssl/certs/ca-certificates.crt", links / "etc/ssl/certs")
        for name in ("bin", "lib", "lib64", "sbin"):
            if Path("/", name).is_symlink():
                (links / name).symlink_to(os.readlink(f"/{name}"))
        for name in ("usr", "tmp"):
            (links / name).mkdir()
        (links / "tmp").chmod(0o1777)
        with tarfile.open(folder / "links.tar", "w") as archive:
            archive.add(links, "")
        steps = ["FROM scratch", "ADD links.tar /", "ENV PATH=/usr/local/bin:/usr/bin", "RUN true"]
        (folder / "Containerfile").write_text("\n".join(steps) + "\n")
        self.machine = "localhost/machine"
        done = self.build(self.machine, folder, folder / "Containerfile", fails=True)
        if done.returncode:
            pytest.skip(f"buildah may not build and run here: {done.stderr[-300:]}")

    def __call__(self, *arguments, fails=False):
        done = subprocess.run(
            [*self.words, *map(str, arguments)], capture_output=True, text=True, timeout=LIMIT, env=Paraph.environment()
        )
        assert fails or done.returncode == 0, f"buildah {arguments}: {done.stdout}{done.stderr}"
        return done

    def build(self, tag, context, file, *options, fails=False):
        """The image `machine` is this system's, by way of its /usr."""
        usual = ["--isolation", "chroot", "--format", "docker", "--volume", "/usr:/usr:ro"]
        return self("bud", *usual, *options, "--file", file, "--tag", tag, context, fails=fails)

    def inspect(self, image):
        return json.loads(self("inspect", "--type", "image", image).stdout)

    def container(self, image):
        return Container(self, self("from", image).stdout.strip())


class Container:
    def __init__(self, buildah, name):
        self.buildah, self.name = buildah, name
        self.root = Path(buildah("mount", name).stdout.strip())
        number = buildah("inspect", "--format", "{{.ContainerID}}", name).stdout.strip()
        self.place = buildah.folder / "root/vfs-containers" / number / "userdata"

    def words(self, command, volumes, *options):
        """A command line that runs a command with a root that can only be read."""
        for place in ("etc/hosts", "etc/resolv.conf", "etc/hostname"):
            (self.root / place).touch()
        for place in ("dev", "proc", "run", "sys", *(to.split(":")[0].strip("/") for _, to in volumes)):
            if not (self.root / place).exists():
                (self.root / place).mkdir(parents=True)
        mounts = [word for source, place in volumes for word in ("--volume", f"{source}:{place}")]
        run = [*self.buildah.words, "run", "--isolation", "chroot", *options, *mounts, self.name, "--", *command]
        return ["unshare", "--mount", "sh", "-euc", READ_ONLY, "sh", str(self.root), *map(str, run)]

    def run(self, command, volumes=(), *options):
        return subprocess.run(
            self.words(command, volumes, *options), capture_output=True, text=True, timeout=LIMIT,
            env=Paraph.environment(),
        )  # fmt: skip


class ContainedParaph(Paraph):
    """A proxy in a container. Its configuration is in /etc/paraph, as `folder` is here, with files that it alone may
    read; one that is named `hosts` is for looking up names."""

    def __init__(self, container, command, folder, configuration, files):
        folder.mkdir(parents=True)
        self.container, self.volumes = container, [(folder, "/etc/paraph:ro")]
        (folder / "published").mkdir()
        os.chown(folder / "published", USER, USER)
        self.volumes.append((folder / "published", "/run/paraph"))
        for name, content in files.items():
            (folder / name).write_text(content)
            (folder / name).chmod(0o400)
            os.chown(folder / name, USER, USER)
        if "hosts" in files:
            self.volumes.append((folder / "hosts", "/etc/hosts:ro"))
        super().__init__("/usr/bin/paraph", folder, {**configuration, "state": "/var/lib/paraph"})
        starter = folder / "start"
        # What it is given is for a program of this machine.
        words = container.words(command, self.volumes, *(["--no-hosts"] if "hosts" in files else []))
        starter.write_text(f"#!{sys.executable}\nimport os\nos.execvp('unshare', {words!r})\n")
        starter.chmod(0o755)
        self.starter = str(starter)

    @property
    def state(self):
        """The volume that the image itself asks for."""
        (found,) = self.container.place.glob("buildah-volumes/*")
        return found

    def rewrite(self):
        super().rewrite()
        self.file.chmod(0o644)

    @property
    def program(self):
        """The number of the process itself, below buildah's."""
        below = [self.process.pid]
        for number in below:
            for children in Path(f"/proc/{number}/task").glob("*/children"):
                below += map(int, children.read_text().split())
        (found,) = (n for n in below if os.readlink(f"/proc/{n}/exe").endswith("/usr/bin/paraph"))
        return found

    def stop(self, number=signal.SIGTERM):
        """As an engine does, which signals the program and nothing else."""
        self.may_end = True
        if self.running:
            os.kill(self.program, number)
        return self.wait()
