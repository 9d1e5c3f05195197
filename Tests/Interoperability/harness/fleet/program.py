"""A process of the fleet, which can be killed, stopped, made to go on, and started again."""

import ctypes
import signal
import subprocess

PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


def end_with_parent():
    """Has the kernel kill this process when the one that started it ends, however that does."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Program:
    """One that runs a command. Its output is the file NAME.log of `folder`."""

    def __init__(self, name, folder, history):
        self.name, self.folder, self.history = name, folder, history
        self.process = None

    def command(self):
        raise NotImplementedError

    def environment(self):
        return None

    def start(self):
        with open(self.folder / f"{self.name}.log", "ab") as log:
            self.process = subprocess.Popen(
                self.command(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env=self.environment(),
                start_new_session=True,
                preexec_fn=end_with_parent,
            )

    def tell(self, state):
        self.history.add("process", name=self.name, state=state)

    def kill(self):
        """Also when it is stopped."""
        if self.runs:
            self.process.kill()
            self.process.wait()
        self.tell("killed")

    def stop(self):
        self.process.send_signal(signal.SIGSTOP)
        self.tell("stopped")

    def resume(self):
        self.tell("running")
        self.process.send_signal(signal.SIGCONT)

    @property
    def runs(self):
        return self.process is not None and self.process.poll() is None

    def tail(self, count=15):
        return "".join((self.folder / f"{self.name}.log").read_text(errors="replace").splitlines(True)[-count:])
