import Glibc
import NIOPosix

/// A program, run to its end with its output in files. The one place of the demo that handles pointers: those that
/// posix_spawn(3) reads live until it has returned.
enum ChildProcess {
    struct CannotStart: Error, CustomStringConvertible {
        let path: String
        let reason: String

        var description: String { "\(path) cannot be run: \(reason)" }
    }

    /// - Parameters:
    ///   - arguments: without the program's own name.
    ///   - environment: `NAME=value`, and nothing else is passed on.
    ///   - output: a file for standard output, made anew; `errors`, one for standard error.
    /// - Returns: its exit status, or 128 and the signal that ended it, as a shell has it.
    static func run(
        _ path: String,
        arguments: [String],
        environment: [String],
        output: String,
        errors: String
    ) async throws -> Int32 {
        let process = try start(path, arguments, environment, output, errors)
        // A thread of its own: the proxy that the program waits for needs those of the common pool.
        let waiting = NIOThreadPool(numberOfThreads: 1)
        waiting.start()
        let status = try await waiting.runIfActive {
            var status: Int32 = 0
            while waitpid(process, &status, 0) == -1, errno == EINTR {}
            let signal = status & 0x7F
            return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
        }
        try await waiting.shutdownGracefully()
        return status
    }

    private static func start(
        _ path: String,
        _ arguments: [String],
        _ environment: [String],
        _ output: String,
        _ errors: String
    ) throws(CannotStart) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)

        // This process ignores the signals that it waits for by other means; the child must not inherit that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

        let argumentPointers = ([path] + arguments).map { strdup($0) }
        let environmentPointers = environment.map { strdup($0) }
        defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
        var process: pid_t = 0
        let problem = posix_spawn(
            &process,
            path,
            &actions,
            &attributes,
            argumentPointers + [nil],
            environmentPointers + [nil]
        )
        guard problem == 0 else { throw CannotStart(path: path, reason: String(cString: strerror(problem))) }
        return process
    }
}
