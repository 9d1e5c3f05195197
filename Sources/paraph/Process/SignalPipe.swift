import Glibc
import Synchronization

/// Signals, in the order in which they came, with who sent them: a handler writes each into a pipe. There is one for
/// the life of the process. What it does with pointers is in this file: the kernel lends `siginfo_t` for the handler's
/// call.
struct SignalPipe: Sendable {
    struct Note: Equatable {
        let signal: Int32
        /// Indicates whether the kernel sent it by itself: a key of the terminal did, or its end.
        let isFromKernel: Bool
        /// The process that sent it, if one did.
        let sender: pid_t
    }

    /// The descriptor that a handler, which can hold nothing, writes to.
    private static let entrance = Atomic<Int32>(-1)
    private let exit: Int32

    /// Catches these signals from now on.
    /// - Returns: Nil when the system has no descriptors left.
    init?(catching signals: [Int32]) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A handler must not wait; who sends thousands of signals at once loses some.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        exit = ends[0]
        Self.entrance.store(ends[1], ordering: .sequentiallyConsistent)
        for signal in signals {
            var action = sigaction()
            action.__sigaction_handler.sa_sigaction = { signal, information, _ in
                let kept = errno
                let code = information?.pointee.si_code ?? 0
                // SI_KERNEL of siginfo(5). Who sent a signal is told for those that a process sent: SI_USER and below.
                let note: [3 of Int32] = [
                    signal, code, code <= 0 ? information?.pointee._sifields._kill.si_pid ?? 0 : 0,
                ]
                _ = withUnsafeBytes(of: note) {
                    write(SignalPipe.entrance.load(ordering: .relaxed), $0.baseAddress, $0.count)
                }
                errno = kept
            }
            action.sa_flags = SA_SIGINFO | SA_RESTART
            sigaction(signal, &action, nil)
        }
    }

    /// The next signal; waits for one.
    func next() -> Note {
        var note: [3 of Int32] = [0, 0, 0]
        while true {
            let count = withUnsafeMutableBytes(of: &note) { read(exit, $0.baseAddress, $0.count) }
            // Twelve bytes are written and read at once, or not at all.
            if count == 12 { return Note(signal: note[0], isFromKernel: note[1] == 0x80, sender: note[2]) }
        }
    }

    /// The next signal, if one has come already.
    func pending() -> Note? {
        var poll = pollfd(fd: exit, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) == 1 ? next() : nil
    }
}
