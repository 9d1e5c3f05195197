"""`paraph exec`: programs that know nothing of Paraph, as they are."""

import json
import os
import re
import stat
import subprocess
import sys

import pytest

from harness.clients import FOLDER, STALLED
from harness.programs import need, verified
from harness.session import NOWHERE
from harness.waiting import LIMIT


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
    need("git", ["git"])
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


@pytest.mark.parametrize("words", [["curl", "-sSf"], ["wget", "-qO-"]], ids=lambda words: words[0])
def test_other_proxies_are_replaced(session, world, provider, words):
    need(words[0], words)
    path = provider.route(lambda call: call.answer())
    names = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY", "all_proxy"]
    other = {**dict.fromkeys(names, NOWHERE), "NO_PROXY": ".test.example,intranet.example"}
    other["JAVA_TOOL_OPTIONS"] = "-Dhttps.proxyHost=192.0.2.1 -Dkept=yes"
    script = f"{' '.join(words)} {world.URL}{path} && env"
    done = session.run(["sh", "-c", script], environment=other)
    assert done.returncode == 0 and verified(world, path) == 1, done
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


def test_a_pipe_of_cas_that_nobody_writes_to_keeps_nobody_waiting(session):
    pipe = session.folder / "pipe"
    os.mkfifo(pipe)
    script = 'grep -c "BEGIN CERTIFICATE" "$SSL_CERT_FILE"'
    done = session.run(["sh", "-c", script], environment={"SSL_CERT_FILE": str(pipe)})
    assert (done.returncode, done.stdout) == (0, b"1\n"), "the local CA alone"


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


def test_nobody_waits_for_what_the_command_left_open(new_session, world, provider):
    """Its drain would take an hour."""
    path = provider.route(lambda call: call.answer())
    session = new_session(world.configuration(timeouts={"drain": "1h"}))
    running = session.start(["sh", "-c", "echo $https_proxy; read line"])
    address = running.stdout.readline().strip().removeprefix("http://")
    idle = subprocess.Popen(
        ["curl", "-sN", "-T", "-", "--proxy", f"http://{address}", f"http://{world.HOST}{path}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    try:
        provider.wait(lambda: provider.requests_for(path), what="the upload to begin")
        _, errors = running.communicate("\n", timeout=LIMIT)
        assert (running.returncode, errors) == (0, "")
    finally:
        idle.kill()
        idle.wait(LIMIT)
        idle.stdin.close()
    session.check_nothing_is_left()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another user")
def test_other_users_of_the_machine_are_kept_out(session, world, provider):
    path = provider.route(lambda call: call.answer())
    running = session.start(["sh", "-c", "echo $https_proxy; read line"])
    proxy = running.stdout.readline().strip()
    words = ["curl", "-sS", "--insecure", *STALLED, "--proxy", proxy, f"{world.URL}{path}"]
    theirs = subprocess.run(words, capture_output=True, user=65534, group=65534)
    mine = subprocess.run(words, capture_output=True)
    running.communicate("\n", timeout=LIMIT)
    assert theirs.returncode != 0 and theirs.stdout == b"", theirs
    assert mine.returncode == 0 and verified(world, path) == 1
