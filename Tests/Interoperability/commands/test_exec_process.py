"""`paraph exec`: a command is as it would be without: its code, its signals, its files and its terminal."""

import hashlib
import os
import re
import signal
import subprocess

import pytest

from harness.programs import need, verified
from harness.session import Terminal, processes_of
from harness.waiting import LIMIT


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


def test_bytes_pass_as_they_are(session):
    data = bytes(range(256)) * 4096
    done = session.run(["sha256sum"], stdin=data)
    assert done.stdout.split()[0].decode() == hashlib.sha256(data).hexdigest()
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
    said, errors = running.communicate(timeout=LIMIT)
    assert (running.returncode, said, errors) == (3, f"{name}\n", "")
    session.check_nothing_is_left()
    assert processes_of(running.pid) == []


def test_a_command_that_does_not_heed_a_signal_is_waited_for(session):
    running = session.start(["sh", "-c", "trap '' TERM; echo ready; read line; echo $line; exit 4"])
    assert running.stdout.readline() == "ready\n"
    running.terminate()
    said, _ = running.communicate("still here\n", timeout=LIMIT)
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
    terminal.type("while jobs | grep -q Running; do sleep 0.02; done; jobs; echo as''ked\n")
    terminal.wait_for("Stopped")
    # To the end of what `jobs` prints, which has the word exec like what `fg` prints; what is typed before `fg` gives the
    # terminal away is echoed by nobody.
    terminal.wait_for("asked")
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
