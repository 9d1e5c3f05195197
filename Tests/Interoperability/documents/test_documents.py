"""The site that `docs/build` makes of the documents, and what of them is made of the program."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path

import pytest

from conftest import HERE, binary
from harness import browser as browsers
from harness.programs import need
from harness.readme import FENCE
from harness.waiting import LIMIT

ROOT = HERE.parent.parent
WORK = Path(os.environ.get("DOCUMENTS_CACHE") or ROOT / ".build-documents")
EXAMPLE = ROOT / "config/paraph.example.yaml"
# What a page may name without loading it.
NOT_LOADED = {("a", "href"), ("link", "canonical"), ("link", "next"), ("link", "prev")}


def build(root, *words, **environment):
    return subprocess.run(
        [root / "docs/build", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **environment},
    )


class Page(HTMLParser):
    """What a page loads, and what its own text holds."""

    def __init__(self, path):
        super().__init__()
        self.loaded, self.items, self.classes, self.depth = [], 0, set(), 0
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.classes |= set((named.get("class") or "").split())
        if tag == "article":
            self.depth += 1
        if tag == "li" and self.depth:
            self.items += 1
        for name in ("src", "href", "data", "action", "poster", "srcset"):
            kind = (tag, named.get("rel") if tag == "link" else name)
            if named.get(name) and kind not in NOT_LOADED:
                self.loaded.append(named[name])

    def handle_endtag(self, tag):
        if tag == "article":
            self.depth -= 1


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    if sys.version_info < (3, 11):
        pytest.skip("the site is made by Python 3.11 or newer")
    folder = tmp_path_factory.mktemp("documents") / "site"
    built = build(ROOT, folder)
    assert built.returncode == 0, built.stdout
    return folder


@pytest.fixture
def copied(site, tmp_path):
    """The documents in another folder, where they can be changed, with the environment that there is."""
    for name in ("docs", "config", "Benchmarks/README.md", "Tests/Interoperability/README.md"):
        there = tmp_path / "root" / name
        there.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, there)
    for page in ROOT.glob("*.md"):
        shutil.copy(page, tmp_path / "root")
    (tmp_path / "work").mkdir()
    for name in ("environment", "mark"):
        (tmp_path / "work" / name).symlink_to(WORK / name)
    return tmp_path / "root"


@pytest.mark.parametrize(
    "page, text, complaint",
    [
        ("docs/gateway.md", "[there](nowhere.md)", "nowhere.md"),
        ("docs/gateway.md", "[there](admin.md#nothing)", "does not contain an anchor '#nothing'"),
        ("docs/gateway.md", "[there](../Sources/nothing)", "../Sources/nothing"),
        ("docs/more.md", "# More", "docs/more.md"),
    ],
    ids=["a link", "an anchor", "a folder", "a page without a place"],
)
def test_what_leads_nowhere_is_an_error(copied, page, text, complaint):
    def built():
        return build(copied, copied.parent / "site", DOCUMENTS_CACHE=str(copied.parent / "work"))

    right = built()
    assert right.returncode == 0, right.stdout
    with (copied / page).open("a") as file:
        file.write(f"\n{text}\n")
    wrong = built()
    assert wrong.returncode != 0 and complaint in wrong.stdout, wrong.stdout


def test_nothing_is_loaded_from_elsewhere(site):
    pages = {path: Page(path) for path in site.rglob("*.html")}
    assert pages
    for path, page in pages.items():
        assert page.loaded, f"{path} loads nothing, not even a style"
        elsewhere = [one for one in page.loaded if re.match(r"//|[a-z+.-]+:", one) and not one.startswith("data:")]
        assert not elsewhere, f"{path.relative_to(site)} loads {elsewhere}"
        # The theme fetches a script for what has these.
        assert not page.classes & {"mermaid", "asciinema"}
    styles = list(site.rglob("*.css"))
    assert styles
    for path in styles:
        assert not re.search(r"(url\(|@import)\s*['\"]?(https?:)?//", path.read_text()), path


def test_every_item_of_a_list_is_one_on_the_site(site):
    """Markdown has several readers: what is a list on the repository's pages may not be one on the site's."""
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]:
        written = re.findall(r"(?m)^ *(?:[-*]|\d+\.) ", FENCE.sub("", path.read_text()))
        page = "index.html" if path.name == "README.md" else path.relative_to(ROOT).with_suffix(".html")
        assert Page(site / page).items == len(written), path


# The reference


def test_the_reference_is_what_the_program_and_the_example_say(site, tmp_path):
    made = build(ROOT, "reference", tmp_path, PARAPH=binary())
    assert made.returncode == 0, made.stdout
    pages = sorted(path.name for path in tmp_path.iterdir())
    assert pages == ["commands.md", "settings.md"]
    for name in pages:
        assert (tmp_path / name).read_text() == (ROOT / "docs" / name).read_text(), f"docs/build reference makes {name}"


@pytest.mark.parametrize(
    "line, changed, complaint",
    [
        ("      realm: null ", "      # without it ", "lacks settings that the program knows in apis.NAME.oauth1: realm"),
        ("  drain: 30s ", "  drains: 30s ", "lacks settings that the program knows in timeouts: drain"),
        ("  format: json ", "  format: json\n  colour: on ", "does not know settings of the example in log: colour"),
        ('#   admin: {address: "0.0.0.0:8081", token: {env: PARAPH_ADMIN_TOKEN}}', "#", "listen.admin: address, token"),
        ('address: "0.0.0.0:8081", ', "", "lacks settings that the program knows in listen.admin: address"),
    ],
    ids=["one less", "another name", "one more", "no longer form", "one less in a longer form"],
)
def test_settings_that_differ_from_the_program_are_found(site, tmp_path, line, changed, complaint):
    text = EXAMPLE.read_text()
    assert text.count(line) == 1
    example = tmp_path / "example.yaml"
    example.write_text(text.replace(line, changed))
    made = subprocess.run(
        [WORK / "environment/bin/python", ROOT / "docs/site/reference.py", binary(), tmp_path, example],
        capture_output=True,
        text=True,
    )
    assert made.returncode != 0 and complaint in made.stderr, made.stderr


# The picture


def drawn(*words):
    ended = subprocess.run(
        [sys.executable, ROOT / "docs/site/picture.py", *words], check=True, stdout=subprocess.PIPE, text=True
    )
    return ended.stdout


def test_the_picture_keeps_its_spaces():
    """Chromium tells where each character of a line is drawn."""
    browser = browsers.program()
    if not browser:
        pytest.skip("there is no chromium on this machine")
    measure = """<script>
        const places = [...document.querySelectorAll("text")].filter(line => line.textContent.trim()).map(line =>
            [line.textContent.search(/\\S/), line.getNumberOfChars(), line.textContent.length]);
        document.body.textContent = JSON.stringify(places);
    </script>"""
    page = f"<!DOCTYPE html><body>{(ROOT / 'docs/demo.svg').read_text()}{measure}"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        (Path(folder) / "page.html").write_text(page)
        ended = subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile",
             "--dump-dom", f"file://{folder}/page.html"],
            capture_output=True, text=True, timeout=LIMIT,
        )  # fmt: skip
    lines = json.loads(re.search(r"<body>(\[\[.*\]\])", ended.stdout)[1])
    assert max(spaces for spaces, _, _ in lines) >= 7
    # Spaces that are dropped are no characters of the drawing.
    assert [line for line in lines if line[1] != line[2]] == []


def test_the_picture_says_what_the_demonstration_does():
    need("curl", ["curl"])
    said = drawn(binary(), "-")
    assert "signature      right: HMAC-SHA1" in said and "oauth_signature=" in said
    assert drawn(ROOT / "docs/demo.svg") == said, "docs/build picture draws it anew"
