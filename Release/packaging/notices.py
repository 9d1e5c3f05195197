#!/usr/bin/env python3
"""Prints under which licences the program, and all that is linked into it, may be handed on.

Usage: notices.py BUILD-FOLDER APACHE, where APACHE names the file with the Apache License's text.
"""

import sys
from pathlib import Path

from components import EXCEPTION, linked_components, swift_license


def main(folder, apache):
    print(f"""\
Paraph
Copyright The authors of Paraph
License: Apache-2.0

Licensed under the Apache License, Version 2.0. Its text is in
{apache}.

Linked into the program is what follows, each under the licence that is named.
Where that is Apache-2.0, the text is the same; "WITH Swift-exception" adds its

{swift_exception()}""")
    for each in linked_components(Path(folder)):
        print("-" * 79)
        print(f"{each.name} {each.version}" + (f", within {each.within}" if each.within else ""))
        print(f"Source: {each.source}" + (f", revision {each.revision}" if each.revision else ""))
        print(f"License: {each.license}\n")
        for text in (each.notice, each.text):
            if text.strip():
                print(text.strip("\n") + "\n")


def swift_exception():
    text = swift_license()
    return text[text.index(EXCEPTION):]


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
