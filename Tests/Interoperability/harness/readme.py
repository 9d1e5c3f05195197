"""The fenced blocks of README.md and of the pages that go on with it, and the shell of somebody who pastes them."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .applications import KNOWN_SECRETS
from .login import Dialogue
from .paraph import Paraph
from .waiting import LIMIT

ROOT = Path(__file__).resolve().parents[3]
README = ROOT / "README.md"
PAGES = [README, *(ROOT / "docs" / f"{name}.md" for name in ("first-minutes", "tokens", "recipes", "explain"))]
FENCE = re.compile(r"(?ms)^```(\w*)\n(.*?)^```$")


@dataclass(frozen=True)
class Block:
    language: str
    text: str
    # The paragraph that the block follows, code left out.
    after: str

    def setting(self, name):
        """What a configuration's block says of `name`, which stands there once."""
        values = re.findall(rf"\b{name}: ([^\s{{}},]+)", self.text)
        assert len(values) == 1, f"{name} is written {len(values)} times in {self.text}"
        return values[0]

    def variables(self):
        """The environment's variables that hold the secrets of a configuration."""
        return re.findall(r"\{env: (\w+)\}", self.text)

    def curls(self):
        return len(re.findall(r"(?m)^curl ", self.text))


def blocks():
    """Every fenced block, in order."""
    found = []
    for page in PAGES:
        text = page.read_text()
        for fence in FENCE.finditer(text):
            prose = FENCE.sub("", text[: fence.start()]).strip()
            found.append(Block(fence.group(1), fence.group(2), prose.rpartition("\n\n")[2]))
    return found


def block(language, after):
    """The one block of a language behind the paragraph that begins so."""
    found = [b for b in blocks() if b.language == language and b.after.startswith(after)]
    assert len(found) == 1, f"there are {len(found)} blocks of {language} after {after!r}"
    return found[0]


def hosts():
    """Every host of an API that the pages name."""
    text = "".join(b.text for b in blocks())
    listed = [h.strip(' "').partition(":")[0] for line in re.findall(r"hosts: \[(.*?)\]", text) for h in line.split(",")]
    return sorted({*listed, *re.findall(r"https://([a-z0-9.-]+)", text)})


def configuration(*parts, connect_to=None, trust=None):
    """Blocks of YAML as one file. All that is added is what a provider and ports of this machine need."""
    first, *others = [p.text for p in parts]
    text = first + "".join(o.removeprefix("apis:\n") for o in others)
    if connect_to is None:
        return text
    added = f"    connect_to: {connect_to}\n" + (f"    tls: {{trust: [{trust}]}}\n" if trust else "")
    text = re.sub(r"(?m)^(  [a-z]+:\n)(?=    (hosts|preset):)", lambda name: name[1] + added, text)
    text = text.replace("gateway: 127.0.0.1:9001", "gateway: 127.0.0.1:0")
    return f"listen: {{proxy: '127.0.0.1:0', admin: '127.0.0.1:0'}}\nlog: {{level: debug, format: json}}\n{text}"


class Shell:
    """Bash, in the folder of a proxy's configuration. curl's options are the README's; each of its answers is shown
    with its status, and one that says no ends the run."""

    CURL = 'silent\nshow-error\nfail-with-body\nwrite-out = "\\n%{http_code}\\n"\n'

    def __init__(self, binary, folder, addresses=None):
        self.folder = folder
        # What the README's addresses are here.
        self.addresses = addresses or {}
        tools = folder / "bin"
        tools.mkdir(parents=True, exist_ok=True)
        (tools / "paraph").unlink(missing_ok=True)
        (tools / "paraph").symlink_to(binary)
        (tools / ".curlrc").write_text(self.CURL)
        self.environment = {**Paraph.environment(), "CURL_HOME": str(tools)}
        self.environment["PATH"] = f"{tools}:{self.environment['PATH']}"

    @classmethod
    def beside(cls, paraph):
        usual = {"proxy": "127.0.0.1:8080", "admin": "127.0.0.1:8081", "gateway twitter": "127.0.0.1:9001"}
        here = {usual[name]: address for name, address in paraph.addresses.items()}
        return cls(paraph.binary, paraph.folder, here)

    def command(self, *parts):
        text = "\n".join(p if isinstance(p, str) else p.text for p in parts)
        for usual, here in self.addresses.items():
            text = text.replace(usual, here)
        return ["bash", "-euc", text]

    def run(self, *parts, **environment):
        """The exit code, and what was said, which holds no secret."""
        done = subprocess.run(
            self.command(*parts),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LIMIT,
            env={**self.environment, **environment},
            cwd=self.folder,
        )
        assert not KNOWN_SECRETS.found_in(done.stdout), f"a secret in the output: {done.stdout}"
        return done.returncode, done.stdout

    def begin(self, *parts, **environment):
        """The same, with somebody to talk to."""
        return Dialogue(self.command(*parts), {**self.environment, **environment}, self.folder)


def answers(said):
    """Status and body, of one line, of each of curl's answers."""
    return [(int(s), b) for b, s in re.findall(r"(?m)^(.*)\n([0-9]{3})$", said)]
