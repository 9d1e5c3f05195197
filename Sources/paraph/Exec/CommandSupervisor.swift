import ForwardProxy
import Glibc

/// Stays with a command until it has ended. Whoever signals, stops or continues this process means the command.
struct CommandSupervisor {
    /// The signals that are passed on, unless the terminal has done so itself.
    static let forwarded: [Int32] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGWINCH]
    /// The signals that stop a process from the terminal. Not caught: this process stops when the command has.
    static let stopping: [Int32] = [SIGTSTP, SIGTTIN, SIGTTOU]

    let process: pid_t
    let signals: SignalPipe

    /// Catches what is to be passed on, but for what this process was told to ignore: then the command ignores it too.
    /// - Returns: Nil when the system has no descriptors left.
    static func catchSignals(_ inherited: InheritedSignals) -> SignalPipe? {
        for number in stopping { signal(number, SIG_IGN) }
        return SignalPipe(catching: forwarded.filter { !inherited.ignores($0) } + [SIGCHLD])
    }

    /// Returns whether a signal that came before there was a command means that there shall be none.
    static func prevents(_ note: SignalPipe.Note) -> Bool {
        [SIGHUP, SIGINT, SIGQUIT, SIGTERM].contains(note.signal)
    }

    /// Blocks its thread.
    func wait() -> CommandEnding {
        while true {
            let note = signals.next()
            if note.signal == SIGCHLD {
                if let ending = changed() { return ending }
            } else if isForCommand(note) {
                kill(process, note.signal)
            }
        }
    }

    /// Returns whether a signal is to be passed on to the command: what a key of the terminal brings about reaches
    /// every process of its foreground group, the command among them; the terminal's end only the first process of the
    /// session. A command that signals its own group has got the signal as well.
    private func isForCommand(_ note: SignalPipe.Note) -> Bool {
        if note.isFromKernel { return note.signal == SIGHUP && getsid(0) == getpid() }
        return note.sender != process
    }

    private func changed() -> CommandEnding? {
        var status: Int32 = 0
        while waitpid(process, &status, WNOHANG | WUNTRACED) == process {
            guard status & 0xFF == 0x7F else { return CommandEnding(status: status) }
            follow(stop: (status >> 8) & 0xFF)
        }
        return nil
    }

    /// Stops with the command, for job control: the shell that waits for this process takes the terminal back when it
    /// has stopped.
    private func follow(stop signal: Int32) {
        guard Self.stopping.contains(signal) || holdsTerminal else { return }
        // Of this very thread: a signal to the process may find another one first, and this one would go on for a
        // while.
        raise(SIGSTOP)
        // Continued. The shell has continued the whole group; who continued this process alone meant the command.
        kill(process, SIGCONT)
    }

    /// Indicates whether the command, or this process, is in its terminal's foreground. Whoever stops the command
    /// itself with SIGSTOP will continue it; but from a terminal that nobody reads, nobody could.
    private var holdsTerminal: Bool {
        let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        let foreground = tcgetpgrp(terminal)
        return foreground == getpgrp() || foreground == getpgid(process)
    }
}

/// The way in which a command ended.
enum CommandEnding: Sendable, Equatable {
    case exited(Int32)
    case signalled(Int32)

    /// - Parameter status: The status that waitpid(2) tells of a process that has ended.
    init(status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
    }

    /// The exit status, or 128 and the signal, as a shell has it.
    var code: Int32 {
        switch self {
        case .exited(let code): code
        case .signalled(let number): 128 + number
        }
    }

    /// Ends this process in the same way, so that whoever waits for it sees what it would have seen of the command: a
    /// shell's script ends at ^C only if the command was ended by it.
    func leave() -> Never {
        switch self {
        case .exited(let code): exit(code)
        case .signalled(let number):
            LogSink.standardError.finish()
            // The command has left its own core, if it was to.
            var limit = rlimit(rlim_cur: 1, rlim_max: 1)
            setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
            signal(number, SIG_DFL)
            var unblocked = sigset_t()
            sigemptyset(&unblocked)
            sigaddset(&unblocked, number)
            pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
            // To this thread: this line is its last one.
            raise(number)
            // The first process of a container is not ended by its own signals.
            exit(code)
        }
    }
}
