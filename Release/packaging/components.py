"""What is linked into the program: which releases, and under which licences."""

import json
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
EXCEPTION = "Runtime Library Exception"


@dataclass
class Component:
    name: str
    version: str
    license: str  # an SPDX expression
    text: str  # the licence's own, or empty where it is that of Apache alone
    notice: str = ""  # what has to be handed on with it
    source: str = ""
    revision: str = ""
    package: str = ""  # a package URL (purl)
    within: str = ""  # the component whose source it is part of
    requires: list = field(default_factory=list)


def output(*command):
    return subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE, text=True).stdout


def beyond_apache(text):
    """Empty for Apache's licence, with or without the exception of Swift's: these stand once for all."""
    return "" if "Apache License" in text[:400] else text


def apache(text):
    return "Apache-2.0 WITH Swift-exception" if EXCEPTION in text else "Apache-2.0"


def linked_modules(folder):
    objects = (folder / "paraph.product" / "Objects.LinkFileList").read_text().splitlines()
    return {match[1] for match in (re.search(r"/([^/]+)\.build/", line) for line in objects) if match}


def modules_of(checkout):
    return {path.name for path in (checkout / "Sources").iterdir() if path.is_dir()}


def requirements(checkout, identities):
    """The packages that a manifest names."""
    named = re.findall(r'url:\s*"[^"]*/([^/"]+?)(?:\.git)?"', (checkout / "Package.swift").read_text())
    return sorted({name.lower() for name in named} & identities)


def copyrights(folder):
    """Who holds the copyright, without the years, in the words of the files' heads."""
    holders = set()
    for path in folder.rglob("*"):
        if path.suffix in (".cc", ".c", ".h", ".S", ".inc", ".pl"):
            head = path.read_text(errors="replace")[:2000]
            for line in re.findall(r"^\W*(Copyright .*)$", head, re.MULTILINE):
                line = re.sub(r"\(c\) ?|\d{4}( ?[-,] ?\d{4})*,? ?|,? ?All [Rr]ights [Rr]eserved\.?", "", line)
                holders.add(re.sub(r"\s+", " ", line).strip(" .*/"))
    return sorted(holders)


def swift_packages(folder):
    resolved = json.loads((ROOT / "Package.resolved").read_text())["pins"]
    linked = linked_modules(folder)
    checkouts = folder.parent.parent / "checkouts"
    found = []
    for pin in resolved:
        identity, location = pin["identity"], pin["location"].removesuffix(".git")
        checkout = next(path for path in checkouts.iterdir() if path.name.lower() == identity)
        if modules_of(checkout) & linked:
            found.append((identity, location, checkout, pin["state"]))
    identities = {identity for identity, *_ in found}
    for identity, location, checkout, state in found:
        text = (checkout / "LICENSE.txt").read_text()
        notice = checkout / "NOTICE.txt"
        yield Component(
            name=identity,
            version=state["version"],
            license=apache(text),
            text=beyond_apache(text),
            notice=notice.read_text() if notice.exists() else "",
            source=location,
            revision=state["revision"],
            package="pkg:swift/" + location.removeprefix("https://") + "@" + state["version"],
            requires=requirements(checkout, identities),
        )
        for module in sorted(modules_of(checkout) & linked):
            yield from vendored(identity, checkout / "Sources" / module)


def first_comment(path):
    return path.read_text().split("*/")[0].strip().removeprefix("/*").strip()


def vendored(identity, folder):
    """What a package has copied from others."""
    if folder.name.endswith("BoringSSL"):
        revision = re.search(r"revision ([0-9a-f]{40})", (folder / "hash.txt").read_text())[1]
        yield Component(
            name="boringssl",
            version=revision[:12],
            license="Apache-2.0",
            text="",
            notice="\n".join(copyrights(folder)),
            source="https://boringssl.googlesource.com/boringssl",
            revision=revision,
            package=f"pkg:generic/boringssl@{revision}",
            within=identity,
        )
    elif folder.name == "CXKCP":
        sources = folder / "FIPS202-opt64"
        described = (folder / "vendored-sources.txt").read_text()
        revision = re.search(r"-g([0-9a-f]{7,40})\)", described)[1]
        yield Component(
            name="xkcp",
            version=revision,
            license="CC0-1.0 AND LicenseRef-Gladman",
            text="\n\n".join(first_comment(sources / name) for name in ("KeccakHash.c", "brg_endian.h")),
            source="https://github.com/XKCP/XKCP",
            revision=revision,
            package=f"pkg:github/XKCP/XKCP@{revision}",
            within=identity,
        )
    elif folder.name == "CNIOLLHTTP":
        header = (folder / "include" / "c_nio_llhttp.h").read_text()
        numbers = [re.search(rf"LLHTTP_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH")]
        version = ".".join(numbers)
        yield Component(
            name="llhttp",
            version=version,
            license="MIT",
            text=(folder / "LICENSE").read_text(),
            source="https://github.com/nodejs/llhttp",
            package=f"pkg:github/nodejs/llhttp@v{version}",
            within=identity,
        )


def swift_license():
    compiler = Path(shutil.which("swiftc")).resolve()
    return (compiler.parent.parent / "share" / "swift" / "LICENSE.txt").read_text()


def swift_runtime():
    version = re.search(r"Swift version ([0-9.]+)", output("swiftc", "--version"))[1]
    return Component(
        name="swift-runtime",
        version=version,
        license=apache(swift_license()),
        text="",
        notice="The standard library, Concurrency, Synchronization, libdispatch and FoundationEssentials.",
        source="https://github.com/swiftlang/swift",
        package=f"pkg:github/swiftlang/swift@swift-{version}-RELEASE",
    )


GCC = """\
Copyright (C) Free Software Foundation, Inc.

The GNU C++ Library and the functions of libgcc that the compiler calls are free software, under the terms of the GNU
General Public License, version 3 or later, with the GCC Runtime Library Exception, version 3.1: a program that is made
by compiling code that uses them may be handed on under terms of one's choice.
"""


def debian_libraries():
    compiled = {
        "libyaml": ("libyaml.a", "MIT", "https://github.com/yaml/libyaml"),
        "zlib": ("libz.a", "Zlib", "https://zlib.net"),
        "libstdc++": ("libstdc++.a", "GPL-3.0-or-later WITH GCC-exception-3.1", "https://gcc.gnu.org"),
    }
    for name, (archive, license, source) in compiled.items():
        path = Path(output("gcc", f"-print-file-name={archive}").strip()).resolve()
        owner = debian_package(path)
        version = output("dpkg-query", "-W", "-f", "${source:Version}", owner)
        text = GCC if name == "libstdc++" else Path(f"/usr/share/doc/{owner.split(':')[0]}/copyright").read_text()
        yield Component(
            name=name,
            version=version,
            license=license,
            text=text,
            source=source,
            package=f"pkg:deb/debian/{owner.split(':')[0].replace('+', '%2B')}@{version.replace('+', '%2B')}",
        )


def debian_package(path):
    for name in (path, str(path).removeprefix("/usr")):
        owner = subprocess.run(["dpkg-query", "-S", name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if owner.returncode == 0:
            return owner.stdout.split(": ")[0]
    raise SystemExit(f"{path} belongs to no package of Debian's, and nothing else says under which licence it is.")


def linked_components(folder):
    """All that is linked into `folder`'s program, besides the program's own source."""
    return [*swift_packages(folder.resolve()), swift_runtime(), *debian_libraries()]
