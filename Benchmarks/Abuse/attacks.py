"""What each attack is, and whom it can be asked of."""

import dataclasses
from collections.abc import Callable

import asking
import floods
import slow
import unfinished
from held import Answers, Stop
from proxies import Setting
from target import ATTACKER, HONEST, Target

EVERYBODY = ("paraph", "haproxy", "nginx")
# nginx counts the connections of both sides together, whoever's they are.
PLACED = ("paraph", "haproxy")
PARAPH = ("paraph",)
KIBIBYTE, MEBIBYTE = 1 << 10, 1 << 20


@dataclasses.dataclass(frozen=True)
class Attack:
    """`run` attacks until it is told to stop.

    `stands_still`: nothing is sent in the end, so that the proxy has nothing to do. `path`: what the honest client asks
    for; `is_form`: it sends a form. `least`: seconds that it needs to show what it does; `head_start`: seconds before
    the honest client comes; `source`: the address that the attack comes from.
    """

    name: str
    title: str
    run: Callable[[Target, Stop], Answers]
    setting: Setting = Setting()
    suits: tuple[str, ...] = EVERYBODY
    stands_still: bool = True
    path: str = "/1.1/show.json?id=1"
    is_form: bool = False
    least: float = 0
    head_start: float = 0
    source: str = ATTACKER


def _flood(name: str, title: str, batches: floods.Batch) -> Attack:
    return Attack(name, title, lambda target, stop: floods.flood(target, stop, batches), stands_still=False)


FEW_FILES, FEW_PLACES = Setting(files=1024), Setting(connections=20)
LISTED = Setting(is_listed=True)

ALL = [
    Attack("none", "no attack", lambda target, stop: (stop.wait(3600), Answers())[1]),
    Attack(
        "forms-h1", "300 signed forms of 1 MiB, all but the last byte sent, by HTTP/1.1",
        lambda target, stop: unfinished.by_http1(target, stop, 300, MEBIBYTE), is_form=True,
    ),
    Attack(
        "forms-h2", "the same on 100 streams of each of 3 connections, by HTTP/2",
        lambda target, stop: unfinished.by_http2(target, stop, 3, MEBIBYTE), is_form=True,
    ),
    Attack(
        "heads", "1,000 heads of 60 KB, of a few bytes of HPACK each, to a server that does not answer",
        lambda target, stop: unfinished.wide_heads(target, stop, 10, "/silent"), is_form=True,
    ),
    Attack(
        "heads-forms", "the same with forms that do not end",
        lambda target, stop: unfinished.wide_heads(target, stop, 10, "/body", is_form=True), is_form=True,
    ),
    Attack(
        "heads-h1", "1,000 heads of 60 KB of which the end is missing, by HTTP/1.1",
        lambda target, stop: unfinished.partial_heads(target, stop, 1000),
    ),
    Attack(
        "uploads", "1,000 uploads of 1 MiB, all but the last byte sent, which are not collected, by HTTP/1.1",
        lambda target, stop: unfinished.by_http1(target, stop, 1000, MEBIBYTE, unfinished.JSON), least=12,
    ),
    Attack(
        "pieces-h1", "200 uploads of 64 KiB in chunks of one byte, which then stand still",
        lambda target, stop: unfinished.pieces_by_http1(target, stop, 200, 64 * KIBIBYTE, 1), least=20,
    ),
    Attack(
        "pieces-h2", "300 such uploads by HTTP/2, in frames of one byte",
        lambda target, stop: unfinished.by_http2(target, stop, 3, 64 * KIBIBYTE, unfinished.JSON, 1), least=20,
    ),
    Attack(
        "files-h2", "1,024 open files; 10 connections with 100 unfinished uploads each, by HTTP/2",
        lambda target, stop: unfinished.by_http2(target, stop, 10, 2, unfinished.JSON), FEW_FILES,
    ),
    Attack(
        "files-h1", "1,024 open files; 600 unfinished uploads by HTTP/1.1",
        lambda target, stop: unfinished.by_http1(target, stop, 600, 2, unfinished.JSON), FEW_FILES,
    ),
    Attack(
        "files-heads", "1,024 open files; 2,000 heads of which a byte comes every second",
        lambda target, stop: slow.heads(target, stop, 2000), FEW_FILES, head_start=5,
    ),
    Attack(
        "files-admin", "1,024 open files; 1,500 connections to the admin listener on which nothing is sent",
        lambda target, stop: slow.admin_silence(target, stop, 1500), FEW_FILES, PARAPH, head_start=3,
    ),
    Attack(
        "places-uploads", "20 connections are allowed; 20 uploads that stand still",
        lambda target, stop: unfinished.by_http1(target, stop, 20, 2, unfinished.JSON, is_stubborn=True),
        FEW_PLACES, PLACED, least=12, head_start=3,
    ),
    Attack(
        "places-named", "the same, from the honest client's address, but under another name",
        lambda target, stop: unfinished.by_http1(target, stop, 20, 2, unfinished.JSON, is_stubborn=True),
        Setting(connections=20, is_listed=True), PARAPH, least=12, head_start=3, source=HONEST,
    ),
    Attack(
        "places-tunnels", "20 connections are allowed; 20 tunnels with a byte every 4 s",
        lambda target, stop: slow.tunnels(target, stop, 20, 4), FEW_PLACES, PARAPH, least=12, head_start=3,
    ),
    Attack(
        "places-silence", "20 connections are allowed; 20 on which nothing is sent",
        lambda target, stop: slow.silence(target, stop, 20), FEW_PLACES, PLACED, least=12, head_start=3,
    ),
    Attack(
        "places-heads", "20 connections are allowed; 200 heads of which a byte comes every second",
        lambda target, stop: slow.heads(target, stop, 200), FEW_PLACES, PLACED, least=12, head_start=3,
    ),
    Attack(
        "places-progress", "20 connections are allowed; 20 uploads of 1 KB a second each",
        lambda target, stop: slow.uploads(target, stop, 20, 4200, 4), FEW_PLACES, PLACED, least=12, head_start=3,
    ),
    Attack(
        "places-unanswered", "20 connections are allowed; 20 requests that the server does not answer",
        lambda target, stop: slow.unanswered(target, stop, 20), FEW_PLACES, PLACED, least=12, head_start=3,
    ),
    Attack(
        "names", "three CONNECTs a second to names that no server of names answers for",
        lambda target, stop: asking.names(target, stop, 3), Setting(is_resolver_silent=True), PARAPH,
        stands_still=False, path="/new", least=12, head_start=7,
    ),
    Attack(
        "names-30", "30 a second",
        lambda target, stop: asking.names(target, stop, 30), Setting(is_resolver_silent=True), PARAPH,
        stands_still=False, path="/new", least=12, head_start=7,
    ),
    Attack(
        "log", "10,000 requests with the access log to a pipe that nobody reads",
        lambda target, stop: asking.requests(target, stop, 10_000), Setting(is_log_unread=True),
    ),
    Attack(
        "guesses-1", "passwords guessed on one connection",
        lambda target, stop: asking.guesses(target, stop, 1), LISTED, PARAPH, stands_still=False,
    ),
    Attack(
        "guesses-50", "passwords guessed on 50 connections",
        lambda target, stop: asking.guesses(target, stop, 50), LISTED, PARAPH, stands_still=False,
    ),
    Attack(
        "slow-heads", "300 heads of which a byte comes every second",
        lambda target, stop: slow.heads(target, stop, 300),
    ),
    Attack(
        "takes-nothing-h1", "50 downloads of 100 MiB of which nothing is taken, by HTTP/1.1",
        lambda target, stop: slow.takes_nothing(target, stop, 50),
    ),
    Attack(
        "takes-nothing-h2", "300 downloads of 2 MiB on 3 connections of which nothing is taken, by HTTP/2",
        lambda target, stop: slow.takes_nothing_by_http2(target, stop, 3),
    ),
    _flood("resets", "HTTP/2 streams that are reset at once", floods.resets),
    _flood("continuations", "an HTTP/2 field block that never ends", floods.continuations),
    _flood("continuations-empty", "the same, of frames that hold nothing", floods.empty_continuations),
    _flood("pings", "HTTP/2 PING frames", floods.pings),
    _flood("settings", "HTTP/2 SETTINGS frames", floods.settings),
    _flood("data-empty", "HTTP/2 DATA frames that hold nothing", floods.empty_data),
    _flood("windows", "HTTP/2 WINDOW_UPDATE frames of one byte", floods.window_updates),
]  # fmt: skip
