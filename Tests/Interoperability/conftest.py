"""What every test stands on: certificates, the provider, the proxies, and what is looked at after each test."""

import itertools
import os
import signal
import socket
from pathlib import Path

import pytest

from harness import browser as browsers
from harness import clients
from harness.certificates import Certificates
from harness.documented import Site
from harness.estate import Estate
from harness.etcd import Etcd
from harness.http2_server import ServerConnection
from harness.http2_sides import Held
from harness.paraph import EVERY_PROCESS, Paraph, end_all
from harness.programs import need
from harness.provider import Provider
from harness.session import Session
from harness.watched_proxy import WatchedProxy
from harness.world import World

HERE = Path(__file__).resolve().parent

# Whoever started this may have had it ignore signals, as nohup and the background of a shell do. Programs hand that on.
for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2):
    signal.signal(number, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_report_header():
    found = {c.name: c.available() for c in clients.EVERY_CLIENT}
    return [
        f"paraph: {binary()}",
        "clients: " + ", ".join(f"{n} ({p})" if p else f"{n} (not here)" for n, p in found.items()),
    ]


def binary():
    return os.environ.get("PARAPH") or str(HERE.parent.parent / ".build" / "debug" / "paraph")


@pytest.fixture(scope="session")
def certificates(tmp_path_factory):
    return Certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="session")
def provider(certificates):
    return Provider(certificates)


@pytest.fixture(scope="session")
def world(provider, certificates):
    """The provider's usual listeners and the application that most tests sign for."""
    return World(provider, certificates)


@pytest.fixture(scope="session")
def launch_for_session(tmp_path_factory):
    """Starts proxies that live as long as the session."""
    yield lambda configuration, **options: Paraph(binary(), tmp_path_factory.mktemp("paraph"), configuration).start(
        **options
    )
    for client in clients.EVERY_CLIENT:
        if hasattr(client, "end"):
            client.end()
    codes = [one.stop() for one in EVERY_PROCESS if one.running]
    end_all()
    assert set(codes) <= {0}, f"exit codes after SIGTERM: {codes}"


@pytest.fixture(scope="module")
def estate(tmp_path_factory, certificates):
    """Secrets everywhere, for the tests that look for them."""
    made = Estate(binary(), tmp_path_factory.mktemp("leaks"), certificates)
    yield made
    made.evidence.end()


@pytest.fixture(scope="module")
def session(tmp_path_factory, world):
    """For commands by `paraph exec`, in the usual configuration."""
    return Session(binary(), tmp_path_factory.mktemp("exec"), world.configuration())


@pytest.fixture
def new_session(tmp_path):
    """The same in another configuration."""
    return lambda configuration: Session(binary(), tmp_path / "exec", configuration)


@pytest.fixture(autouse=True)
def nothing_leaks(request):
    """After each test with an estate, all that it brought about is searched for secrets."""
    if "estate" not in request.fixturenames:
        yield
        return
    estate = request.getfixturevalue("estate")
    estate.script.clear()
    yield
    estate.check()


@pytest.fixture
def launch(tmp_path):
    """Starts proxies for one test; whatever still runs at its end is ended by SIGTERM and has to exit with 0."""
    mine, numbers = [], itertools.count(1)

    def start(configuration, **options):
        one = Paraph(binary(), tmp_path / f"paraph{next(numbers)}", configuration)
        mine.append(one)
        return one.start(**options)

    yield start
    codes = [one.stop() for one in mine if one.running]
    assert set(codes) <= {0}, f"exit codes after SIGTERM: {codes}"


@pytest.fixture(scope="session")
def paraph(launch_for_session, world):
    """The proxy that most tests share. Nothing that a test does to it may disturb another."""
    return launch_for_session(world.configuration(), environment=world.RESOLVER)


@pytest.fixture(autouse=True)
def nothing_amiss(request):
    """After each test: no secret in a log, no proxy that ended by itself, no rule of HTTP broken."""
    yield
    for one in EVERY_PROCESS:
        leaks = one.leaks()
        assert not leaks, f"secrets in the log: {leaks}"
        assert not one.ended_by_itself(), f"ended with {one.process.returncode}:\n{one.tail()}"
    if "provider" in request.fixturenames or "world" in request.fixturenames:
        found = request.getfixturevalue("provider")
        violations, found.violations = found.violations, []
        assert not violations, violations


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed:
        mine = [v for v in item.funcargs.values() if isinstance(v, Paraph)]
        mine += [one for one in EVERY_PROCESS if item.funcargs.get("tmp_path") in one.folder.parents]
        for one in mine:
            report.sections.append((f"log of {one.folder}", one.tail(15)))
    return report


@pytest.fixture(params=clients.EVERY_CLIENT, ids=lambda c: c.name)
def client(request):
    """Each client in turn."""
    if not request.param.available():
        pytest.skip(f"there is no {request.param.name} on this machine")
    return request.param


@pytest.fixture
def curl():
    return clients.CURL


@pytest.fixture
def tunnel(paraph, world):
    """A connection to the API by HTTP/1.1, through the proxy that most tests share."""
    with paraph.raw(f"{world.HOST}:443") as client:
        yield client


@pytest.fixture
def closed_ports():
    """Two ports of loopback on which nobody listens: bound, so that nobody else gets them."""
    with socket.socket() as one, socket.socket() as other:
        for held in (one, other):
            held.bind(("127.0.0.1", 0))
        yield [held.getsockname()[1] for held in (one, other)]


@pytest.fixture
def closed_port(closed_ports):
    return closed_ports[0]


@pytest.fixture
def application(provider):
    return provider.new_application()


# Another proxy


@pytest.fixture
def other(world):
    proxy = WatchedProxy(world)
    yield proxy
    proxy.judge()


@pytest.fixture
def start(launch, world, other, application):
    """A proxy that has no other way than the other one: the API's host does not resolve."""

    def launched(entry=None, accounts=None, whole=None, **options):
        api = {**world.api((world.HOST,), application, accounts, connect_to=False), **(entry or {})}
        api = {key: value for key, value in api.items() if value is not None}
        configuration = world.configuration({"main": api}, **{"upstream_proxy": other.settings(), **(whole or {})})
        return launch(configuration, **options)

    return launched


# HTTP/2


@pytest.fixture(scope="session")
def listeners(provider, certificates):
    """The provider's, by the version of HTTP that they speak."""
    return {1: provider.listen(certificates.good), 2: provider.listen(certificates.good, http2=ServerConnection)}


@pytest.fixture(scope="session")
def proxies(world, listeners, launch_for_session):
    """One proxy for each kind of upstream."""
    return {
        version: launch_for_session(world.configuration({"main": world.api(connect_to=listener)}))
        for version, listener in listeners.items()
    }


@pytest.fixture(params=[(1, 1), (1, 2), (2, 1), (2, 2)], ids=lambda p: f"h{p[0]}-h{p[1]}")
def versions(request):
    """The client's and the upstream's."""
    return request.param


@pytest.fixture
def hold(provider):
    """Makes handlers that wait in the middle of their answers; at the end of the test they go on."""
    made = []

    def begin(*arguments, **options):
        made.append(Held(provider, *arguments, **options))
        return made[-1]

    yield begin
    for one in made:
        one.go.set()


@pytest.fixture
def fresh(launch, world, provider, certificates):
    """A proxy of its own, and its upstream by HTTP/2."""

    def begin(entry=None, **whole):
        listener = provider.listen(certificates.good, http2=ServerConnection)
        api = world.api(connect_to=listener, **(entry or {}))
        return launch(world.configuration({"main": api}, **whole)), listener

    return begin


# The documents


@pytest.fixture
def etcd(tmp_path):
    need("etcd", ["etcd"])
    server = Etcd(tmp_path).start()
    yield server
    server.end()


@pytest.fixture
def site(certificates, monkeypatch, launch):
    found = Site(binary(), certificates, monkeypatch, launch)
    yield found
    assert not found.provider.violations
    found.close()


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    started = browsers.Browser(tmp_path_factory.mktemp("browser"))
    yield started
    started.end()


@pytest.fixture
def open_page(browser):
    """Opens pages; none may complain, nor ask anybody but the admin listener."""
    pages = []

    def start(paraph, **options):
        page = browser.page(**options)
        pages.append(page)
        page.origin = f"http://{paraph.addresses['admin']}"
        page.open(f"{page.origin}/")
        return page

    yield start
    for page in pages:
        page.close()
        allowed = (f"{page.origin}/", f"blob:{page.origin}/")
        assert [url for url in page.requests if not url.startswith(allowed)] == []
        assert page.complaints == []
