"""What each attack is, and whom it can be asked of."""

import dataclasses
from collections.abc import Callable

import asking
import floods
import honest
import slow
import unfinished
from held import Answers, Stop
from honest import Seen
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
    for; `form`: it sends forms of so many bytes; `at_once`: so many of them; `honest`: it does something else. `least`:
    seconds that it needs to show what it does; `head_start`: seconds before the honest client comes; `source`: the
    address that the attack comes from.
    """

    name: str
    title: str
    run: Callable[[Target, Stop], Answers]
    setting: Setting = Setting()
    suits: tuple[str, ...] = EVERYBODY
    stands_still: bool = True
    path: str = "/1.1/show.json?id=1"
    form: int = 0
    at_once: int = 1
    honest: Callable[[Target, Stop], Seen] | None = None
    least: float = 0
    head_start: float = 0
    source: str = ATTACKER

    def ask(self, target: Target, stop: Stop) -> Seen:
        """What the honest client does."""
        if self.honest:
            return self.honest(target, stop)
        return honest.ask(target, stop, self.path, self.form, self.at_once)


def _flood(name: str, title: str, batches: floods.Batch) -> Attack:
    return Attack(name, title, lambda target, stop: floods.flood(target, stop, batches), stands_still=False)


FEW_FILES, FEW_PLACES = Setting(files=1024), Setting(connections=20)
LISTED = Setting(is_listed=True)
SEVERAL = 4  # places that the honest client wants of 20
GUESTS = 200

ALL = [
    Attack("none", "no attack", lambda target, stop: (stop.wait(3600), Answers())[1]),
    Attack(
        "forms-h1", "300 signed forms of 1 MiB, all but the last byte sent, by HTTP/1.1",
        lambda target, stop: unfinished.by_http1(target, stop, 300, MEBIBYTE), form=KIBIBYTE,
    ),
    Attack(
        "forms-h2", "the same on 100 streams of each of 3 connections, by HTTP/2",
        lambda target, stop: unfinished.by_http2(target, stop, 3, MEBIBYTE), form=KIBIBYTE,
    ),
    Attack(
        "heads", "1,000 heads of 60 KB, of a few bytes of HPACK each, to a server that does not answer",
        lambda target, stop: unfinished.wide_heads(target, stop, 10, "/silent"), form=KIBIBYTE,
    ),
    Attack(
        "heads-forms", "the same with forms that do not end",
        lambda target, stop: unfinished.wide_heads(target, stop, 10, "/body", is_form=True), form=KIBIBYTE,
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
        FEW_PLACES, PLACED, least=12, head_start=3, at_once=SEVERAL,
    ),
    Attack(
        "places-named", "the same, from the honest client's address, but under another name",
        lambda target, stop: unfinished.by_http1(target, stop, 20, 2, unfinished.JSON, is_stubborn=True),
        Setting(connections=20, is_listed=True), PARAPH, least=12, head_start=3, at_once=SEVERAL, source=HONEST,
    ),
    Attack(
        "places-tunnels", "20 connections are allowed; 20 tunnels with a byte every 4 s",
        lambda target, stop: slow.tunnels(target, stop, 20, 4),
        FEW_PLACES, PARAPH, least=12, head_start=3, at_once=SEVERAL,
    ),
    Attack(
        "places-silence", "20 connections are allowed; 20 on which nothing is sent",
        lambda target, stop: slow.silence(target, stop, 20),
        FEW_PLACES, PLACED, least=12, head_start=3, at_once=SEVERAL,
    ),
    Attack(
        "places-strangers", "the same with 150 from the honest client's address, which do not say a name",
        lambda target, stop: slow.silence(target, stop, 150),
        Setting(connections=20, is_listed=True), PARAPH, least=12, head_start=3, at_once=SEVERAL, source=HONEST,
    ),
    Attack(
        "places-beginnings", "20 connections are allowed; 40 heads that are not ended, each from an address of its own",
        lambda target, stop: slow.beginnings(target, stop, 40),
        Setting(connections=20, is_listed=True), PARAPH, least=12, head_start=3, at_once=SEVERAL,
    ),
    Attack(
        "places-guesses", "20 connections are allowed; passwords guessed from 40 addresses",
        lambda target, stop: asking.guesses_from_many(target, stop, 40),
        Setting(connections=20, is_listed=True), PARAPH, stands_still=False, least=12, head_start=3, at_once=SEVERAL,
    ),
    Attack(
        "places-heads", "20 connections are allowed; 200 heads of which a byte comes every second",
        lambda target, stop: slow.heads(target, stop, 200),
        FEW_PLACES, PLACED, least=12, head_start=3, at_once=SEVERAL,
    ),
    Attack(
        "places-progress", "20 connections are allowed; 20 uploads of 1 KB a second each",
        lambda target, stop: slow.uploads(target, stop, 20, 4200, 4),
        FEW_PLACES, PLACED, least=12, head_start=3, at_once=SEVERAL,
    ),
    Attack(
        "places-unanswered", "20 connections are allowed; 20 requests that the server does not answer",
        lambda target, stop: slow.unanswered(target, stop, 20),
        FEW_PLACES, PLACED, least=12, head_start=3, at_once=SEVERAL,
    ),
    Attack(
        "places-unread-h1", "20 connections are allowed; 20 on which answers of 2 MiB are not read, by HTTP/1.1",
        lambda target, stop: slow.unread(target, stop, 20),
        FEW_PLACES, PLACED, least=12, head_start=3, at_once=SEVERAL,
    ),
    Attack(
        "places-unread-buffers", "20 connections are allowed; 30 whose answers stay in the system's buffers",
        lambda target, stop: slow.unread(target, stop, 30, 1, "/tiny-download"),
        FEW_PLACES, PLACED, least=12, head_start=3, at_once=SEVERAL,
    ),
    Attack(
        "places-unread-h2", "20 connections are allowed; 20 with a window of 0 for the answer, by HTTP/2",
        lambda target, stop: slow.unread_by_http2(target, stop, 20),
        FEW_PLACES, PLACED, least=12, head_start=3, at_once=SEVERAL,
    ),
    Attack(
        "places-kept", "20 connections are allowed; 30 requests that the server does not answer, beside 6 idle ones",
        lambda target, stop: (stop.wait(2), slow.unanswered(target, stop, 30))[1],
        Setting(connections=20, is_listed=True), PARAPH, least=20,
        honest=lambda target, stop: honest.keep(target, stop, 6, 3),
    ),
    Attack(
        "places-refused", "20 connections are allowed; 30 requests that the server does not answer, and more for refused ones",
        lambda target, stop: slow.unanswered(target, stop, 30),
        Setting(connections=20, is_listed=True), PARAPH, least=12, head_start=3, at_once=SEVERAL,
    ),
    Attack(
        "alone", "3,000 open files; 2,000 requests that the server does not answer, by HTTP/2",
        lambda target, stop: slow.alone(target, stop, 20), Setting(files=3000), head_start=5,
    ),
    Attack(
        "bursts", "100 forms of 1 MiB, nine tenths sent at once, and then 1,050 bytes a second",
        lambda target, stop: unfinished.bursts(target, stop, 100, MEBIBYTE, 100 * KIBIBYTE, 1050),
        stands_still=False, honest=lambda target, stop: honest.hold_forms(target, stop, 12, 960 * KIBIBYTE), least=15,
        head_start=5,
    ),
    Attack(
        "admin-bodies", "1,024 open files; 150 claims at the admin listener, begun one by one, whose body stands still",
        lambda target, stop: slow.admin_bodies(target, stop, 150, 0.03),
        Setting(files=1024, is_enrolling=True), PARAPH, least=12, head_start=5,
    ),
    Attack(
        "chain", "a server that shows a certificate with 2,000 names below an authority with 2,000 constraints",
        lambda target, stop: asking.decisions(target, stop, 0.1), stands_still=False,
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
        "names-wildcard", "30 requests a second for hosts under the wildcard of the honest client's API, likewise",
        lambda target, stop: asking.names_under_wildcard(target, stop, 30),
        Setting(is_resolver_silent=True, is_wildcard=True), PARAPH,
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
        "guesses-shared", "passwords guessed on 50 connections, from the honest clients' address",
        lambda target, stop: asking.guesses(target, stop, 50, "attacker"),
        Setting(is_listed=True, guests=GUESTS), PARAPH, stands_still=False,
        honest=lambda target, stop: honest.log_in(target, stop, GUESTS, 8), least=24, head_start=3, source=HONEST,
    ),
    Attack(
        "ahead", "1,000 requests that the server does not answer, with 64 KiB of others behind each, by HTTP/1.1",
        lambda target, stop: slow.ahead(target, stop, 1000, 64 * KIBIBYTE),
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
