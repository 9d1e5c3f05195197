#!/usr/bin/env python3
"""Writes the pages of the reference: every setting, from config/paraph.example.yaml, and every command, from the help
that the program itself gives. The settings are held against those that the program knows.

Usage: reference.py PROGRAM FOLDER [EXAMPLE]
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "Release" / "packaging"))
import manual  # noqa: E402

MADE = "<!-- Made by `docs/build reference`. -->"
# Mappings whose keys are names that a user chooses.
NAMED = ("apis", "apis.NAME.accounts", "enrolment.access_types")
# Mappings that go on as they are.
FREE = ("apis.NAME.accounts.NAME.three_legged.authorize_parameters",)
# A key that no other is near to.
UNKNOWN = "q" * 20
# Sections that have the keys of another.
ALIKE = {"apis.NAME.accounts.NAME.oauth1": "apis.NAME.oauth1", "apis.NAME.upstream_proxy": "upstream_proxy"}
# Settings whose values in the example are the defaults, or all that are in these sections. A test asks the code.
DEFAULTS = [
    "listen",
    "state",
    "authority",
    "vault",
    "access.denied_networks",
    "access.allowed_networks",
    "apis.NAME.gateway.map_responses",
    "apis.NAME.upstream",
    "apis.NAME.oauth1.signature_method",
    "apis.NAME.oauth1.realm",
    "apis.NAME.oauth1.body_hash",
    "apis.NAME.oauth1.placement",
    "apis.NAME.oauth1.empty_token",
    "apis.NAME.oauth1.include_version",
    "apis.NAME.oauth1.timestamp",
    "apis.NAME.oauth1.clock_correction",
    "apis.NAME.accounts.NAME.three_legged.version",
    "apis.NAME.signing",
    "apis.NAME.tls.minimum_version",
    "apis.NAME.tls.trust",
    "apis.NAME.tls.verify_hostname",
    "apis.NAME.tls.client_certificate",
    "apis.NAME.tls.client_private_key",
    "apis.NAME.tls.pinning.applies_to",
    "apis.NAME.tls.pinning.on_failure",
    "apis.NAME.tls.pinning.on_expiry",
    "apis.NAME.oauth2.client_authentication",
    "upstream_proxy.trust",
    "http2",
    "limits",
    "timeouts",
    "metrics",
    "inspector",
    "log.level",
    "log.query",
]
INTRODUCTION = """\
Every key of the configuration file, in the order of
[`config/paraph.example.yaml`](../config/paraph.example.yaml), which shows them in one piece. `paraph check` says of every
line that is wrong what is wrong with it. `NAME` stands for a name that you choose.

- A secret is text, `{env: NAME}` (an environment variable) or `{file: PATH}` (one trailing line break is dropped).
- A path is relative to the configuration file.
- A duration is `250ms`, `10s`, `5m` or `1h`. A size is `64KiB`, `1MiB` or a number of bytes.
- A switch is `on` or `off`; `true` and `false` mean the same.
"""


COMMANDS = (
    "Every command, from its own help: `paraph help COMMAND` prints the same, and so does `man paraph-COMMAND` where the "
    "package is installed. Each has `--help` and `--version`, too."
)


def fail(message):
    sys.exit(f"docs/build: {message}")


# The settings


@dataclass
class Setting:
    value: str
    comment: str
    is_section: bool


def uncommented(lines):
    """The settings that the example has commented out count, too."""
    found, was = [], False
    for line in lines:
        match = re.fullmatch(r"( *)# ( *)([a-z][a-z0-9_]*:(?: (?:\[.*\]|\S+|\w+ \w+))?(?: +#.*)?)", line)
        # An indented one belongs to the section above it, or else to the text.
        was = bool(match) and (not match[2] or was)
        found.append(f"{match[1]}{match[2]}{match[3]}" if was else line)
    return found


def is_list_of_mappings(value):
    return isinstance(value, yaml.SequenceNode) and any(isinstance(each, yaml.MappingNode) for each in value.value)


def is_section(value, path):
    if isinstance(value, yaml.MappingNode):
        return path not in FREE and [key.value for key, _ in value.value] not in (["env"], ["file"])
    return is_list_of_mappings(value)


class Example:
    """The settings by the path of their section, both in the order of the example, and what is said of sections."""

    def __init__(self, text):
        self.lines = uncommented(text.splitlines())
        self.text = "\n".join(self.lines) + "\n"
        self.sections, self.comments = {}, {}
        # Sections in their longer forms, of which only the text tells.
        self.longer = []
        self.walk(yaml.compose(self.text), "", "")

    def walk(self, mapping, path, said):
        """`said` is what is said of the name whose mapping this is: of the first key that is new, then."""
        if path not in NAMED:
            self.sections.setdefault(path, {})
        for key, value in mapping.value:
            comment = self.comment(key, value)
            if path in NAMED:
                self.walk(value, f"{path}.NAME", comment)
                continue
            inner = f"{path}.{key.value}".lstrip(".")
            if key.value not in self.sections[path]:
                self.sections[path][key.value] = Setting(self.source(value), comment or said, False)
                self.comments[inner] = comment or said
                said = said if comment else ""
            if is_section(value, inner):
                self.sections[path][key.value].is_section = True
                for each in value.value if isinstance(value, yaml.SequenceNode) else [value]:
                    self.walk(each, inner, "")
            self.read_longer(key.value, inner, comment)

    def read_longer(self, key, path, comment):
        """What a comment has as a line of its own: the key in a longer form, or another that stands in its place."""
        for text, other in re.findall(r"(?m)^  (([a-z_]+): \{.*\})$", comment):
            place = path
            if other != key:
                outer = path.removesuffix(key)
                place = outer + other
                self.sections[outer.removesuffix(".")][other] = Setting("", "", True)
            self.longer.append((place, text))
            section = self.sections.setdefault(place, {})
            for name, value in yaml.compose(text).value[0][1].value:
                section[name.value] = Setting(text[value.start_mark.index : value.end_mark.index], "", False)
            self.comments[place] = "The longer form." if other == key else f"In place of `{key}`."

    def source(self, value):
        if isinstance(value, yaml.SequenceNode) and not value.flow_style:
            return "[" + ", ".join(self.source(each) for each in value.value) + "]"
        return " ".join(self.text[value.start_mark.index : value.end_mark.index].split())

    def comment(self, key, value):
        """What stands above the key, and then what stands beside it."""
        line, column = key.start_mark.line, key.start_mark.column
        above = []
        for number in range(line - 1, -1, -1):
            match = re.fullmatch(rf" {{{column}}}# ?(.*)", self.lines[number])
            if not match or match[1].startswith("---"):
                break
            above.insert(0, match[1])
        is_block = isinstance(value, yaml.CollectionNode) and not value.flow_style
        last, end = (line, key.end_mark.column + 1) if is_block else (value.end_mark.line, value.end_mark.column)
        beside = re.fullmatch(r"(\s*)#\s*(.*)", self.lines[last][end:])
        text = []
        if beside:
            text.append(beside[2])
            place = end + len(beside[1])
            for following in self.lines[last + 1 :]:
                more = re.fullmatch(rf" {{{place}}}#\s*(.*)", following)
                if not more:
                    break
                text.append(more[1])
        # A line of code that is too long goes on in one that is indented more.
        return re.sub(r"\n {3,}(?=\S)", " ", "\n".join(above + text))


def prose(text):
    """Plain text as Markdown; what stands between backquotes is code already."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"[*<]", r"\\\g<0>", part) for part in parts)


def paragraph(comment):
    """A comment as Markdown: indented lines of it are code. What it says of places in the example is left out."""
    text = re.sub(r"(?m)^  (\S.*)$", lambda line: f"`{line[1]}`", comment)
    text = re.sub(r" \((?:here|see [^)]*)\)", "", " ".join(text.split()))
    text = prose(text.removesuffix(":"))
    text = re.sub(r"\bdocs/([a-z-]+\.md)", r"[\g<0>](\1)", text)
    text = re.sub(r"^NEEDED[.:] (.)", lambda start: f"**Needed.** {start[1].upper()}", text)
    return text + ("" if not text or text[-1] in ".`" else ".")


def wrapped(text, first="", rest=""):
    return textwrap.wrap(
        text, 120, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )


def is_default(path):
    return any(path == one or path.startswith(f"{one}.") for one in DEFAULTS)


def anchor(path):
    return re.sub(r"[^a-z0-9_-]", "", path.lower())


def item(section, key, setting, longer):
    path = f"{section}.{key}".lstrip(".")
    words = [f"`{key}`"]
    if path in NAMED or setting.is_section:
        words[0] = f"[`{key}`](#{anchor(path + '.NAME' if path in NAMED else path)})"
    elif is_default(path) and section not in longer:
        words.append(f"by default `{setting.value}`")
    else:
        words.append(f"for example `{setting.value}`")
    comment = "" if setting.is_section else paragraph(setting.comment)
    if path in ALIKE and not setting.is_section:
        comment += f" Its longer form has the keys of [`{ALIKE[path]}`](#{anchor(ALIKE[path])})."
    text = ", ".join(words) + (f": {comment}" if comment else "")
    return wrapped(text, "- ", "  ")


def settings(example):
    lines = ["# Settings", "", MADE, "", *INTRODUCTION.splitlines()]
    longer = {path for path, _ in example.longer}
    for path, section in example.sections.items():
        if path:
            lines += ["", f"## `{path}`"]
            if comment := paragraph(example.comments.get(path.removesuffix(".NAME"), "")):
                lines += ["", *wrapped(comment)]
        lines.append("")
        if path in ALIKE:
            lines.append(f"The keys are those of [`{ALIKE[path]}`](#{anchor(ALIKE[path])}).")
            continue
        if not section:
            lines.append("No keys: `{}`.")
        for key, setting in section.items():
            lines += item(path, key, setting, longer)
    return "\n".join(lines) + "\n"


def unknown_everywhere(value, path):
    """The same with a key in each mapping that nobody knows."""
    if isinstance(value, list):
        return [unknown_everywhere(each, path) for each in value]
    if not isinstance(value, dict) or path in FREE or list(value) in (["env"], ["file"]):
        return value
    if path in NAMED:
        return {name: unknown_everywhere(inside, f"{path}.NAME") for name, inside in value.items()}
    inside = {key: unknown_everywhere(each, f"{path}.{key}".lstrip(".")) for key, each in value.items()}
    return {**inside, UNKNOWN: "unknown"}


def told(program, configuration):
    """The keys that the program knows, by the path of their section: it tells them where it meets another."""
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        json.dump(configuration, file)
        file.flush()
        said = subprocess.run(
            [program, "check", "--config", file.name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ).stdout
    found = {}
    for place, keys in re.findall(r"(?m): unknown key [^;]*?(?: in (\S+))?; known here: (.*)$", said):
        place = re.sub(r"\[\d+\]", "", place)
        for named in NAMED:
            pattern = re.escape(named).replace("NAME", r"[^.]+")
            place = re.sub(rf"^({pattern})\.[^.]+", rf"{named}.NAME", place)
        found.setdefault(place, set()).update(keys.split(", "))
    return found


def changed(configuration, keys, value):
    """A copy with another value in the place that the keys lead to."""
    copy = json.loads(json.dumps(configuration))
    place = copy
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    return copy


def leaves(value, path, keys=()):
    """The paths of the settings that are no sections, and the keys that lead to them."""
    if isinstance(value, dict) and path not in FREE and list(value) not in (["env"], ["file"]):
        for key, inside in value.items():
            name = "NAME" if path in NAMED else key
            yield from leaves(inside, f"{path}.{name}".lstrip("."), (*keys, key))
    elif isinstance(value, list) and any(isinstance(each, dict) for each in value):
        for number, each in enumerate(value):
            yield from leaves(each, path, (*keys, number))
    else:
        yield path, keys


def known(program, example):
    # With text for keys and dates, as the program reads them.
    whole = json.loads(json.dumps(yaml.safe_load(example.text), default=str))
    places = dict(reversed([*leaves(whole, "")]))

    # One that stands in another's place is not there itself.
    def keys_to(path):
        outer, _, name = path.rpartition(".")
        beside = next(keys for other, keys in places.items() if other.rpartition(".")[0] == outer)
        return places.get(path, (*beside[:-1], name))

    longer = [changed(whole, keys_to(path), next(iter(yaml.safe_load(text).values()))) for path, text in example.longer]
    found = {}
    for configuration in [whole, *longer]:
        for path, keys in told(program, unknown_everywhere(configuration, "")).items():
            found.setdefault(path, set()).update(keys)

    # Whether one that is no section in the example may be one.
    def knows(path):
        return told(program, changed(whole, places[path], {UNKNOWN: "unknown"})).get(path, set())

    single = [path for path in places if path not in example.sections]
    with ThreadPoolExecutor() as pool:
        for path, keys in zip(single, pool.map(knows, single)):
            if not keys <= {"env", "file"}:
                found[path] = keys
    return found


def compare(program, example):
    there = known(program, example)
    written = {path: set(section) for path, section in example.sections.items()}
    for path in sorted(there.keys() | written.keys()):
        knows = there.get(path, set())
        says = there[ALIKE[path]] if path in ALIKE else written.get(path, set())
        place = path or "the whole file"
        if knows - says:
            fail(f"the example lacks settings that the program knows in {place}: {', '.join(sorted(knows - says))}")
        if says - knows:
            fail(f"the program does not know settings of the example in {place}: {', '.join(sorted(says - knows))}")


# The commands


def flag(described):
    value = f" {described['valueName'].upper()}" if described["kind"] == "option" else ""
    if described["kind"] == "positional":
        return f"`{described['valueName'].upper()}`"
    names = [("--" if name["kind"] == "long" else "-") + name["name"] for name in described["names"]]
    return ", ".join(f"`{name}{value}`" for name in sorted(names, key=len))


def described_item(described):
    text = described.get("abstract", "")
    values, default = described.get("allValues"), described.get("defaultValue")
    if values:
        text += " One of " + ", ".join(f"`{value}`" for value in values)
        text += f"; by default `{default}`." if default else "."
    elif default and described["kind"] == "option":
        text += f" By default `{default}`."
    words = f"{text} {described.get('discussion', '')}".split()
    return wrapped(f"{flag(described)}: {prose(' '.join(words))}", "- ", "  ")


def commands(program):
    dumped = subprocess.run([program, "--experimental-dump-help"], check=True, stdout=subprocess.PIPE).stdout
    every = list(manual.commands(json.loads(dumped)["command"]))
    common = {"version", "help"}
    lines = ["# Commands", "", MADE, "", *wrapped(COMMANDS)]
    for command, words in every:
        name = " ".join(words)
        text = [] if len(words) == 1 else ["", f"## `{name}`", "", *wrapped(prose(command["abstract"]))]
        usage = subprocess.run([program, "help", *words[1:]], check=True, stdout=subprocess.PIPE, text=True).stdout
        forms = re.search(r"^USAGE: (.*?)\n\n", usage, re.MULTILINE | re.DOTALL)[1]
        text += ["", "```text", *[form.strip() for form in forms.splitlines()], "```"]
        for each in command.get("discussion", "").split("\n\n"):
            text += ["", *wrapped(prose(" ".join(each.split())))] if each else []
        below = [other for other in every if other[1][:-1] == words]
        if below:
            text.append("")
            for other, theirs in below:
                shown = " ".join(theirs)
                text += wrapped(f"[`{shown}`](#{shown.replace(' ', '-')}): {prose(other['abstract'])}", "- ", "  ")
        shown = [one for one in command.get("arguments", []) if one["shouldDisplay"]]
        if len(words) > 1:
            shown = [one for one in shown if one["valueName"] not in common]
        for title in dict.fromkeys(one.get("sectionTitle") for one in shown):
            text += ["", f"{title}:", ""] if title else [""]
            for one in shown:
                if one.get("sectionTitle") == title:
                    text += described_item(one)
        lines += text
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)) + "\n"


def main(program, folder, file=str(ROOT / "config" / "paraph.example.yaml")):
    example = Example(Path(file).read_text())
    os.environ.update({name: "value" for name in re.findall(r"\{env: ([A-Z_]+)\}", example.text)})
    compare(program, example)
    (Path(folder) / "settings.md").write_text(settings(example))
    (Path(folder) / "commands.md").write_text(commands(program))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
