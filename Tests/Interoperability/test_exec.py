"""`paraph exec`: programs that know nothing of Paraph, and a command that is as it would be without."""

import hashlib
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys

import pytest

from conftest import binary
from harness.clients import FOLDER
from harness.session import NOWHERE, Session, Terminal, processes_of


@pytest.fixture(scope="module")
def session(tmp_path_factory, world):
    return Session(binary(), tmp_path_factory.mktemp("exec"), world.configuration())


@pytest.fixture
def new_session(tmp_path):
    return lambda configuration: Session(binary(), tmp_path / "exec", configuration)


def python(library):
    return lambda urls: [sys.executable, str(FOLDER / "exec.py"), library, *urls]


def perl(*lines):
    return lambda urls: ["perl", "-e", "\n".join(lines), *urls]


PHP = """foreach (array_slice($argv, 1) as $url) {
  $c = curl_init($url);
  curl_setopt($c, CURLOPT_RETURNTRANSFER, 1);
  echo curl_exec($c) === false ? curl_error($c) : curl_getinfo($c, CURLINFO_HTTP_CODE), "\\n";
}"""
RUBY = "require 'net/http'; ARGV.each { |url| puts Net::HTTP.get_response(URI(url)).code }"
# What is run for some addresses, and how many requests that makes of each.
PROGRAMS = {
    "curl": (lambda urls: ["curl", "-sSf", *urls], 1),
    "wget": (lambda urls: ["wget", "-qO-", *urls], 1),
    "urllib": (python("urllib"), 1),
    "requests": (python("requests"), 1),
    "httpx": (python("httpx"), 1),
    "aiohttp": (python("aiohttp"), 1),
    "node": (lambda urls: ["node", str(FOLDER / "exec.mjs"), *urls], 5),
    "java": (lambda urls: ["java", "-XX:TieredStopAtLevel=1", str(FOLDER / "Exec.java"), *urls], 2),
    "go": (lambda urls: ["go", "run", str(FOLDER / "exec.go"), *urls], 1),
    "php": (lambda urls: ["php", "-r", PHP, *urls], 1),
    "ruby": (lambda urls: ["ruby", "-e", RUBY, *urls], 1),
    "LWP": (perl("use LWP::UserAgent;", "print LWP::UserAgent->new->get($_)->code, qq(\\n) for @ARGV;"), 1),
    "HTTP::Tiny": (perl("use HTTP::Tiny;", "print HTTP::Tiny->new->get($_)->{status}, qq(\\n) for @ARGV;"), 1),
}
NEEDED = {
    "LWP": ["perl", "-MLWP::UserAgent", "-MLWP::Protocol::https", "-e1"],
    "HTTP::Tiny": ["perl", "-MHTTP::Tiny", "-MIO::Socket::SSL", "-e1"],
    "php": ["php", "-r", "exit(function_exists('curl_init') ? 0 : 1);"],
    "aws": ["aws", "--version"],
    "cargo": ["cargo", "--version"],
}


def need(program, words):
    if not shutil.which(words[0]):
        pytest.skip(f"there is no {words[0]} on this machine")
    if program in NEEDED and subprocess.run(NEEDED[program], capture_output=True).returncode:
        pytest.skip(f"this machine's {words[0]} lacks what {program} needs")


def verified(world, path, user="default"):
    """Every request for the path had a right signature; how many there were."""
    records = world.provider.requests_for(path)
    assert [r.refused for r in records] == [None] * len(records)
    assert {r.verdict.token.user for r in records} <= {user}
    return len(records)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_that_knows_nothing(session, world, provider, program):
    make, count = PROGRAMS[program]
    path = provider.route(lambda call: call.answer())
    need(program, make([]))
    done = session.run(make([f"https://{world.HOST}{path}", f"http://{world.HOST}{path}/plain"]))
    assert done.returncode == 0, done
    assert verified(world, path) == 2 * count, done


def respond(fields, body):
    def handler(call):
        assert call.verify(), call.record.refused
        call.respond(200, fields, body)

    return handler


def test_git(session, world, provider):
    """A repository in the form of plain files, whose every one needs a signature."""
    path = provider.route(respond([("Content-Type", "text/plain")], f"{'1' * 40}\trefs/heads/main\n"))
    done = session.run(["git", "ls-remote", f"https://{world.HOST}{path}/repository.git"])
    assert (done.returncode, done.stdout.decode()) == (0, f"{'1' * 40}\trefs/heads/main\n"), done
    assert verified(world, path) >= 1


def test_npm(session, world, provider):
    need("npm", ["npm"])
    package = {"name": "x", "dist-tags": {"latest": "1.2.3"}, "versions": {"1.2.3": {"name": "x", "version": "1.2.3"}}}
    path = provider.route(respond([("Content-Type", "application/json")], json.dumps(package)))
    # A cafile in the machine's own npmrc stands above the environment's.
    own = {"npm_config_globalconfig": os.devnull}
    done = session.run(["npm", "view", "x", "version", "--registry", f"https://{world.HOST}{path}/"], environment=own)
    assert (done.returncode, done.stdout.strip()) == (0, b"1.2.3"), done
    assert verified(world, path) >= 1


def test_pip(session, world, provider):
    page = respond([("Content-Type", "text/html")], "<!DOCTYPE html><title>x</title>")
    path = provider.route(page)
    index = f"https://{world.HOST}{path}/"
    done = session.run([sys.executable, "-m", "pip", "download", "--index-url", index, "no-such-package-at-all"])
    assert b"No matching distribution" in done.stderr, done
    assert verified(world, path) >= 1


def test_cargo(session, world, provider):
    need("cargo", ["cargo"])
    path = provider.route(respond([("Content-Type", "application/json")], '{"dl": "https://api.test.example/none"}'))
    project = session.folder / "crate"
    (project / "src").mkdir(parents=True)
    (project / "src" / "lib.rs").touch()
    (project / "Cargo.toml").write_text(
        '[package]\nname = "x"\nversion = "1.0.0"\n[dependencies]\nno-such = {version = "1", registry = "own"}\n'
    )
    own = {n: v for n, v in os.environ.items() if n in ("CARGO_HOME", "RUSTUP_HOME")}
    own.setdefault("RUSTUP_HOME", os.path.expanduser("~/.rustup"))
    own["CARGO_REGISTRIES_OWN_INDEX"] = f"sparse+https://{world.HOST}{path}/"
    done = session.run(["cargo", "fetch", "--manifest-path", str(project / "Cargo.toml")], environment=own)
    assert done.returncode not in (0, 127), done
    assert verified(world, path) >= 2, done


def test_aws(session, world, provider):
    """What the program signs itself is replaced, as the configuration's default says."""
    need("aws", ["aws"])
    empty = "<ListAllMyBucketsResult><Buckets/></ListAllMyBucketsResult>"
    path = provider.route(respond([("Content-Type", "application/xml")], empty))
    fake = {"AWS_ACCESS_KEY_ID": "none", "AWS_SECRET_ACCESS_KEY": "none", "AWS_DEFAULT_REGION": "eu-central-1"}
    done = session.run(
        ["aws", "--endpoint-url", f"https://{world.HOST}{path}", "s3api", "list-buckets"], environment=fake
    )
    assert done.returncode == 0, done
    assert verified(world, path) == 1


# The command is as it would be without


@pytest.mark.parametrize("code", [0, 1, 37, 255])
def test_the_exit_code_is_the_commands(session, code):
    done = session.run(["sh", "-c", f"echo out; echo err >&2; exit {code}"])
    assert (done.returncode, done.stdout, done.stderr) == (code, b"out\n", b"err\n")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT, signal.SIGSEGV, signal.SIGQUIT])
def test_a_signal_that_ends_the_command_is_what_is_seen(session, number):
    done = session.run(["sh", "-c", f"kill -{int(number)} $$"])
    assert (done.returncode, done.stdout, done.stderr) == (-number, b"", b"")


def test_what_cannot_be_run_has_the_codes_of_a_shell(session):
    done = session.run(["no-such-command-at-all"])
    assert (done.returncode, b"no-such-command-at-all" in done.stderr) == (127, True)
    for path in ("/etc/passwd", "/etc"):
        done = session.run([path])
        assert (done.returncode, path in done.stderr.decode()) == (126, True)
    script = session.folder / "script"
    script.write_text('echo "by sh: $1"\n')
    script.chmod(0o755)
    done = session.run(["script", "a b"], environment={"PATH": f"{session.folder}:{os.environ['PATH']}"})
    assert (done.returncode, done.stdout) == (0, b"by sh: a b\n")


def test_mistakes_of_the_command_line_are_not_the_commands(session):
    for words in ([], ["--"], ["--acount", "x", "--", "true"]):
        done = subprocess.run(
            [session.binary, "exec", "--config", str(session.file), *words],
            capture_output=True,
            env=session.environment(),
        )
        assert (done.returncode, done.stdout) == (64, b""), done


def test_octets_pass_as_they_are(session):
    octets = bytes(range(256)) * 4096
    done = session.run(["sha256sum"], stdin=octets)
    assert done.stdout.split()[0].decode() == hashlib.sha256(octets).hexdigest()
    # Neither arguments nor variables need be UTF-8.
    done = session.run(
        [b"sh", b"-c", b'printf "%s %s" "$1" "$ODD"', b"sh", b"a\xff\xc3 b"], environment={b"ODD": b"\xfe=\xe4"}
    )
    assert done.stdout == b"a\xff\xc3 b \xfe=\xe4"


def inherited(session, words, **options):
    """What a process gets from the one that starts it, as /proc tells."""
    # The shell's own signals are blocked for the moment in which it starts a program; the program's are not.
    script = "ulimit -c; umask; cd /proc/self; cat coredump_filter; ls fd; grep -E '^Sig(Blk|Ign)' /proc/self/status"
    done = subprocess.run(
        [*words, "sh", "-c", script], capture_output=True, env=session.environment(), cwd=session.folder, **options
    )
    assert done.returncode == 0, done
    # Two signals are the C library's own, 32 and 33.
    return re.sub("(?<=\t)[0-9a-f]{16}", lambda m: f"{int(m[0], 16) & ~(3 << 31):x}", done.stdout.decode())


def test_signals_files_and_limits_are_those_of_the_caller(session):
    def before():
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTTOU):
            signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])
        os.umask(0o027)

    kept, other = os.pipe()
    for options in ({}, {"pass_fds": (kept, other), "preexec_fn": before}):
        found, expected = inherited(session, session.words([]), **options), inherited(session, [], **options)
        assert found.split() == expected.split()
    os.close(kept)
    os.close(other)


TRAP = "trap 'echo {0}; exit 3' {0}; echo ready; while :; do sleep 0.02; done"


@pytest.mark.parametrize("name", ["HUP", "INT", "QUIT", "TERM", "USR1", "USR2", "WINCH"])
def test_signals_reach_the_command_once(session, name):
    running = session.start(["sh", "-c", TRAP.format(name)])
    assert running.stdout.readline() == "ready\n"
    running.send_signal(getattr(signal, f"SIG{name}"))
    said, errors = running.communicate(timeout=60)
    assert (running.returncode, said, errors) == (3, f"{name}\n", "")
    session.check_nothing_is_left()
    assert processes_of(running.pid) == []


def test_a_command_that_does_not_heed_a_signal_is_waited_for(session):
    running = session.start(["sh", "-c", "trap '' TERM; echo ready; read line; echo $line; exit 4"])
    assert running.stdout.readline() == "ready\n"
    running.terminate()
    said, _ = running.communicate("still here\n", timeout=60)
    assert (running.returncode, said) == (4, "still here\n")
    session.check_nothing_is_left()


def test_the_terminal_is_the_commands(session):
    script = (
        "trap 'echo interrupted' INT; test -t 0 && test -t 1 && test -t 2 && echo all three; "
        "until read line; do :; done; echo got $line; exit 5"
    )
    terminal = Terminal(session.words(["sh", "-c", script]), session.environment(), session.folder)
    terminal.wait_for("all three")
    terminal.type("\x03")
    terminal.wait_for("interrupted")
    terminal.type("a line\n")
    terminal.wait_for("got a line")
    assert terminal.end() == 5
    assert "interrupted" not in terminal.text
    session.check_nothing_is_left()


def test_ctrl_c_ends_a_command_that_does_not_heed_it(session):
    words = session.words(["sh", "-c", "echo ready; exec sleep 1000"])
    terminal = Terminal(words, session.environment(), session.folder)
    terminal.wait_for("ready")
    terminal.type("\x03")
    assert terminal.end() == -signal.SIGINT
    session.check_nothing_is_left()


def test_a_terminal_that_goes_away_takes_the_command_with_it(session):
    script = "trap 'echo hung up >told; exit 1' HUP; echo ready; while :; do sleep 0.02; done"
    terminal = Terminal(session.words(["sh", "-c", script]), session.environment(), session.folder)
    terminal.wait_for("ready")
    assert terminal.close() == 1
    assert (session.folder / "told").read_text() == "hung up\n"
    session.check_nothing_is_left()


def test_job_control(session, world, provider):
    path = provider.route(lambda call: call.answer())
    need("bash", ["bash"])
    (session.folder / "job.sh").write_text(
        f"echo started; while ! test -e go; do sleep 0.02; done; curl -sSf {world.URL}{path}; echo; cat"
    )
    terminal = Terminal(["bash", "--norc", "-i"], session.environment(PS1="> "), session.folder)
    # Not sh: where that is dash, it waits in vfork(2) for a child that ^Z has stopped before its program began.
    words = " ".join(session.words(["bash", "job.sh"]))
    terminal.type(f"{words}\n")
    terminal.wait_for("started")
    terminal.type("\x1a")
    terminal.wait_for(r"Stopped")
    # In the background it goes on, and its requests are served; then it wants to read the terminal, and stops.
    terminal.type("touch go; bg\n")
    terminal.wait_for('"verified": true')
    terminal.type("while jobs | grep -q Running; do sleep 0.02; done; jobs\n")
    terminal.wait_for("Stopped")
    terminal.type("fg\n")
    terminal.wait_for("exec")
    terminal.type("echo of the terminal\n")
    # Once by the terminal, once by cat.
    terminal.wait_for("echo of the terminal\r\n")
    terminal.wait_for("echo of the terminal\r\n")
    terminal.type("\x04")
    terminal.type('echo "code=$?"\n')
    terminal.wait_for("code=0")
    terminal.type("exit\n")
    terminal.end()
    session.check_nothing_is_left()
    assert verified(world, path) == 1


# What the command gets, and what it does not


def test_no_secret_reaches_the_command(new_session, world):
    application = world.provider.new_application()
    session = new_session(
        world.configuration(
            {"main": world.api(application=application, oauth1={"consumer_secret": {"env": "OWN_SECRET"}})}
        )
    )
    secret = {"OWN_SECRET": application.secret, "OTHER": "kept"}
    script = "env; tr '\\0' '\\n' </proc/$PPID/environ; tr '\\0' '\\n' </proc/$PPID/cmdline"
    done = session.run(["sh", "-c", script], environment=secret)
    assert done.returncode == 0 and b"OTHER=kept" in done.stdout
    assert application.secret.encode() not in done.stdout
    path = world.provider.route(lambda call: call.answer())
    assert session.run(["curl", "-sSf", f"{world.URL}{path}"], environment=secret).returncode == 0
    assert verified(world, path) == 1


def test_other_proxies_are_replaced(session, world, provider):
    path = provider.route(lambda call: call.answer())
    names = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY", "all_proxy"]
    other = {**dict.fromkeys(names, NOWHERE), "NO_PROXY": ".test.example,intranet.example"}
    other["JAVA_TOOL_OPTIONS"] = "-Dhttps.proxyHost=192.0.2.1 -Dkept=yes"
    script = f"curl -sSf {world.URL}{path} && wget -qO- {world.URL}{path} && env"
    done = session.run(["sh", "-c", script], environment=other)
    assert done.returncode == 0 and verified(world, path) == 2, done
    assert b"192.0.2.1" not in done.stdout and b"-Dkept=yes" in done.stdout
    assert b"intranet.example" in done.stdout and b".test.example" not in done.stdout.split(b"NO_PROXY=")[1]
    # Who relied on either has to know.
    assert b"upstream_proxy" in done.stderr and b".test.example" in done.stderr


def test_what_a_program_trusted_before_it_trusts_still(session, world, certificates):
    """A host of no API is reached by a tunnel: its own certificate is what the program sees."""
    url = f"https://{world.other.address}/"
    words = ["curl", "-sS", "--noproxy", "none", "-o", "/dev/null", "-w", "%{http_code}", url]
    done = session.run(words)
    assert done.returncode == 60, done
    done = session.run(words, environment={"SSL_CERT_FILE": str(certificates.root_file), "NO_PROXY": ""})
    assert (done.returncode, done.stdout) == (0, b"401"), "nothing is signed on the way"
    # And what was given to one kind of programs is not given to others.
    done = session.run(words, environment={"NODE_EXTRA_CA_CERTS": str(certificates.root_file)})
    assert done.returncode == 60, done


def test_accounts(session, world, provider):
    for name in ("alice", "bob"):
        path = provider.route(lambda call: call.answer())
        assert session.run(["curl", "-sSf", f"{world.URL}{path}"], "--account", name).returncode == 0
        assert verified(world, path, user=name) == 1
    done = session.run(["touch", "started"], "--account", "nobody")
    assert (done.returncode, done.stdout) == (65, b"") and b"alice" in done.stderr
    assert not (session.folder / "started").exists()


def test_an_account_of_another_api_is_no_account(new_session, world, provider):
    """Never a silent fallback."""
    one, two = world.api(["one.test.example"]), world.api(["two.test.example"])
    del two["accounts"]["alice"]
    session = new_session(world.configuration({"one": one, "two": two}))
    path = provider.route(lambda call: call.answer())
    urls = [f"https://{host}.test.example{path}" for host in ("one", "two")]
    done = session.run(["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code} ", *urls], "--account", "alice")
    codes = [done.stdout.split()[0]] + [code for code in done.stdout.split()[-1:]]
    assert codes[0] == b"200" and b"403" in done.stdout, done
    assert verified(world, path, user="alice") == 1


def test_clients_of_the_configuration_need_no_password_here(new_session, world, provider):
    clients = [{"name": "billing", "password": world.password(), "accounts": ["bob"]}]
    session = new_session(world.configuration(access={"clients": clients, "connect_ports": [443]}))
    path = provider.route(lambda call: call.answer())
    assert session.run(["curl", "-sSf", f"{world.URL}{path}"]).returncode == 0
    assert verified(world, path) == 1
    # Tunnels go where the user may go, but not to where a request for an API would leave unsigned.
    codes = ["curl", "-sk", "--noproxy", "none", "--proxytunnel", "-o", "/dev/null", "-w", "%{http_connect}"]
    assert session.run([*codes, f"https://{world.other.address}/"]).stdout == b"200"
    assert session.run([*codes, f"http://{world.HOST}/"]).stdout == b"403"


def test_tokens_that_were_fetched_are_kept(new_session, world, provider):
    application = provider.new_application()
    account = world.reverse_auth_account(application)
    api = world.api(application=application, accounts={"default": account})
    session = new_session(world.configuration({"main": api}))
    path = provider.route(lambda call: call.answer())

    def exchanges():
        return len(provider.requests_for("/oauth/access_token"))

    before = exchanges()
    for _ in range(2):
        done = session.run(["curl", "-sSf", f"{world.URL}{path}"])
        assert done.returncode == 0, done
    assert exchanges() == before + 1
    state = session.folder / "state"
    assert stat.S_IMODE((state / "ca.key").stat().st_mode) == 0o600
    assert [stat.S_IMODE(path.stat().st_mode) for path in (state / "vault").glob("*.credential")] in ([], [0o600])


def test_what_the_proxy_has_to_say_goes_to_standard_error(new_session, world, certificates):
    stranger = world.provider.listen(certificates.untrusted)
    session = new_session(world.configuration({"main": world.api(connect_to=stranger)}))
    done = session.run(["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", world.URL])
    assert (done.returncode, done.stdout) == (0, b"502")
    assert re.fullmatch(rb"(?s)paraph: .*certificate.*api\.test\.example.*\n", done.stderr), done
    log = session.folder / "log"
    done = session.run(["curl", "-sS", "-o", "/dev/null", world.URL], "--log", str(log))
    assert done.stderr == b"" and "certificate" in log.read_text() and '"status":502' in log.read_text()
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert b"502" in session.run(["curl", "-sS", "-o", "/dev/null", world.URL], "--verbose").stderr


def test_nobody_waits_for_what_the_command_left_open(new_session, world):
    """Its drain would take an hour."""
    session = new_session(world.configuration(timeouts={"drain": "1h"}))
    running = session.start(["sh", "-c", "echo $https_proxy; read line"])
    address = running.stdout.readline().strip().removeprefix("http://")
    idle = subprocess.Popen(
        ["curl", "-sN", "-T", "-", "--proxy", f"http://{address}", f"http://{world.HOST}/"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    try:
        _, errors = running.communicate("\n", timeout=60)
        assert (running.returncode, errors) == (0, "")
    finally:
        idle.kill()
        idle.wait(10)
        idle.stdin.close()
    session.check_nothing_is_left()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another user")
def test_other_users_of_the_machine_are_kept_out(session, world, provider):
    path = provider.route(lambda call: call.answer())
    running = session.start(["sh", "-c", "echo $https_proxy; read line"])
    proxy = running.stdout.readline().strip()
    words = ["curl", "-sS", "--insecure", "--max-time", "20", "--proxy", proxy, f"{world.URL}{path}"]
    theirs = subprocess.run(words, capture_output=True, user=65534, group=65534)
    mine = subprocess.run(words, capture_output=True)
    running.communicate("\n", timeout=60)
    assert theirs.returncode != 0 and theirs.stdout == b"", theirs
    assert mine.returncode == 0 and verified(world, path) == 1
