#!/usr/bin/env python3
"""Draws what `paraph demo --once` prints, or rather the parts of it that README.md has room for.

Usage: picture.py PROGRAM FILE; with - for FILE, prints what the picture says, with what differs between runs masked.
       picture.py FILE; prints the same of a picture that there is.
"""

import os
import re
import subprocess
import sys
from html import escape, unescape
from pathlib import Path

# The headings of the demonstration, and of each the lines from one to another; a gap is drawn as dots.
PARTS = [
    (r"1\. What the client sent", r"   It knows HTTPS_PROXY", r"          'https://"),
    (r"3\. What was signed", r"   Authorization: OAuth", r"       oauth_version="),
    (r"4\. What the provider verified", r"   signature ", r"                  sha256/"),
    (r"Verified: ", None, None),
]
# What is another in each run, or on each machine.
DIFFERS = [
    (r"127\.0\.0\.1:\d+", "127.0.0.1:PORT"),
    (r"/\S+/paraph-demo\.\w+", "FOLDER"),
    (r"\b[0-9a-f]{32}\b", "NONCE"),
    (r'oauth_signature="[^"]*"', 'oauth_signature="SIGNATURE"'),
    (r"\b\d{10}\b", "TIMESTAMP"),
    (r"18151210-\w{40}", "TOKEN"),
    (r"sha256/[A-Za-z0-9+/]{43}=", "PIN"),
]
LINE, COLUMN, MARGIN, SIZE = 19, 7.85, 18, 13


def excerpt(said):
    lines, found = said.splitlines(), []
    for heading, first, last in PARTS:
        start = next(number for number, line in enumerate(lines) if re.match(heading, line))
        if found:
            found.append("")
        found.append(lines[start])
        if first is None:
            continue
        begin = next(n for n in range(start, len(lines)) if re.match(first, lines[n]))
        end = next(n for n in range(begin, len(lines)) if re.match(last, lines[n]))
        if begin > start + 1:
            found.append("   ⋯")
        found += lines[begin : end + 1]
    return found


def picture(lines):
    width = round(max(map(len, lines)) * COLUMN + 2 * MARGIN)
    height = len(lines) * LINE + 2 * MARGIN
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'role="img" aria-label="paraph demo">',
        f'<rect width="{width}" height="{height}" rx="8" fill="#16181d"/>',
        f'<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="{SIZE}" '
        'fill="#c9cdd6">',
    ]
    for number, line in enumerate(lines):
        style = ""
        if re.match(r"\d\. ", line):
            style = ' fill="#ffffff" font-weight="bold"'
        elif line.startswith("Verified"):
            style = ' fill="#7ee2a8" font-weight="bold"'
        # A browser would take the columns from another font than was meant.
        length = f' textLength="{len(line) * COLUMN:.1f}" lengthAdjust="spacing"' if line else ""
        place = f'x="{MARGIN}" y="{MARGIN + LINE * number + SIZE}"'
        # Of spaces that are inherited as such, browsers drop those in front.
        spaces = ' xml:space="preserve" style="white-space:pre"'
        drawn.append(f"<text {place}{length}{style}{spaces}>{escape(line, quote=False)}</text>")
    return "\n".join([*drawn, "</g>", "</svg>", ""])


def masked(lines):
    text = "\n".join(lines)
    for pattern, name in DIFFERS:
        text = re.sub(pattern, name, text)
    return text


def main(program, file):
    said = subprocess.run(
        [program, "demo", "--once"],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1"},
    ).stdout
    lines = excerpt(said)
    if file == "-":
        print(masked(lines))
    else:
        Path(file).write_text(picture(lines))


if __name__ == "__main__":
    if len(sys.argv) == 2:
        print(masked(unescape(line) for line in re.findall(r"<text [^>]*>(.*)</text>", Path(sys.argv[1]).read_text())))
    elif len(sys.argv) == 3:
        main(*sys.argv[1:])
    else:
        sys.exit(__doc__)
