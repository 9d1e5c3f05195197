#!/usr/bin/env python3
"""Writes a man page for each command, from the help that the program itself gives.

Usage: manual.py PROGRAM VERSION FOLDER; SOURCE_DATE_EPOCH is the date that the pages have.
"""

import json
import os
import re
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path


def escaped(text):
    text = text.replace("\\", r"\e")
    text = re.sub(r"(?<![\w-])--?[A-Za-z][\w-]*", lambda option: option.group().replace("-", r"\-"), text)
    text = "".join(character if ord(character) < 128 else rf"\[u{ord(character):04X}]" for character in text)
    return r"\&" + text if text[:1] in (".", "'") else text


def sentences(text):
    """A line for each, as roff has it."""
    return [escaped(line) for line in re.split(r"(?<=[.?!]) (?=[A-Z$-])", " ".join(text.split()))]


def paragraphs(text):
    lines = []
    for paragraph in text.split("\n\n"):
        lines += [".Pp", *sentences(paragraph)]
    return lines[1:]


def argument(text):
    return '"' + escaped(text).replace('"', r"\(dq") + '"'


def item(described):
    value = " Ar " + argument(described["valueName"])
    if described["kind"] == "positional":
        return ".It" + value
    # A macro puts the first hyphen.
    names = [r"\-" + name["name"] if name["kind"] == "long" else name["name"] for name in described["names"]]
    names.sort(key=len)
    return ".It Fl " + " , Fl ".join(names) + (value if described["kind"] == "option" else "")


def explanation(described):
    lines = sentences(described.get("abstract", ""))
    values, default = described.get("allValues"), described.get("defaultValue")
    if values:
        lines += sentences("One of " + ", ".join(values) + (f"; {default} by default." if default else "."))
    elif default and described["kind"] == "option":
        lines += sentences(f"By default {default}.")
    if described.get("discussion"):
        lines += paragraphs(described["discussion"])
    return lines


def listed(arguments):
    lines = [".Bl -tag -width Ds"]
    for described in arguments:
        lines += [item(described), *explanation(described)]
    return [*lines, ".El"]


def usage(program, words):
    """What the help shows, a line for each form."""
    shown = subprocess.run([program, "help", *words[1:]], check=True, stdout=subprocess.PIPE, text=True).stdout
    forms = re.search(r"^USAGE: (.*?)\n\n", shown, re.MULTILINE | re.DOTALL).group(1)
    lines = []
    for form in forms.splitlines():
        name = " ".join(words)
        rest = form.strip().removeprefix(name).strip()
        lines.append(f".Nm {name}")
        if rest:
            lines.append(re.sub(r"<([^<>]+)>", r"\\fI\1\\fR", escaped(rest)))
    return lines


def page(program, version, date, command, words, others):
    name = "-".join(words)
    lines = [
        f".Dd {date:%B} {date.day}, {date.year}",
        f".Dt {name.upper()} 1",
        f".Os paraph {version}",
        ".Sh NAME",
        f".Nm {name}",
        f".Nd {escaped(command['abstract'].rstrip('.'))}",
        ".Sh SYNOPSIS",
        *usage(program, words),
        ".Sh DESCRIPTION",
        *paragraphs(command.get("discussion") or command["abstract"]),
    ]
    shown = [described for described in command.get("arguments", []) if described["shouldDisplay"]]
    positional = [described for described in shown if described["kind"] == "positional"]
    options = [described for described in shown if described["kind"] != "positional"]
    if positional:
        lines += [".Sh ARGUMENTS", *listed(positional)]
    subcommands = [each for each, deeper in commands(command) if len(deeper) == 2]
    if subcommands:
        lines += [".Sh COMMANDS", ".Bl -tag -width Ds"]
        for each in subcommands:
            lines += [f".It Ic {each['commandName']}", *sentences(each["abstract"])]
            lines += ["See", f".Xr {name}-{each['commandName']} 1 ."]
        lines.append(".El")
    if options:
        lines.append(".Sh OPTIONS")
        for title in dict.fromkeys(described.get("sectionTitle") for described in options):
            if title:
                lines.append(f".Ss {escaped(title)}")
            lines += listed([described for described in options if described.get("sectionTitle") == title])
    lines.append(".Sh SEE ALSO")
    near = sorted(other for other in others if other != name)
    lines += [f".Xr {other} 1" + (" ," if other != near[-1] else "") for other in near]
    return name, "\n".join(lines) + "\n"


def commands(command, words=()):
    words = (*words, command["commandName"])
    yield command, words
    for each in command.get("subcommands", []):
        if each["shouldDisplay"] and each["commandName"] != "help":
            yield from commands(each, words)


def main(program, version, folder):
    date = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), timezone.utc)
    dumped = subprocess.run([program, "--experimental-dump-help"], check=True, stdout=subprocess.PIPE).stdout
    every = list(commands(json.loads(dumped)["command"]))
    for command, words in every:
        # The commands beside it and above.
        others = ["-".join(other) for _, other in every if other[:-1] == words[:-1] or other == words[:-1]]
        if len(words) == 1:
            others = ["-".join(other) for _, other in every if len(other) == 2]
        name, text = page(program, version, date, command, words, others)
        (Path(folder) / f"{name}.1").write_text(text)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
