#!/usr/bin/env python3
"""Copies the documents into a folder, which lie there as they do in the repository. Usage: documents.py FOLDER

Of a link to a file that packages do not have, such as the sources' own documents, the words stay.
"""

import re
import shutil
import sys
from pathlib import Path

COPIED = ("README.md", "SECURITY.md", "CHANGELOG.md", "docs/*.md", "docs/*.svg", "docs/*.png", "config/*.yaml",
          "config/systemd/*", "config/container/*", "config/container/paraph/*", "config/kubernetes/**/*")  # fmt: skip
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)#\s]+)(#[^)]*)?\)")


def main(folder):
    names = [name for pattern in COPIED for name in sorted(Path().glob(pattern)) if name.is_file()]
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(name, folder / name)
        (folder / name).chmod(0o644)
    for name in names:
        if name.suffix == ".md":
            text = name.read_text()

            def kept(link, place=(folder / name).parent):
                return link[0] if (place / link[3]).exists() else link[2]

            (folder / name).write_text(LINK.sub(kept, text))


main(Path(sys.argv[1]))
