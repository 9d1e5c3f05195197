import ForwardProxy
import Glibc

/// The way in which a command ended.
enum CommandEnding: Sendable, Equatable {
    case exited(Int32)
    case signalled(Int32)

    /// - Parameter status: From waitpid(2), of a process that has ended.
    init(status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
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
            exit(128 + number)
        }
    }
}
