import Files
import FoundationEssentials
import Glibc
import NIOPosix

/// A program, run to its end with its output in files.
enum ChildProcess {
    struct CannotStart: Error, CustomStringConvertible {
        let path: String
        let reason: String

        var description: String { "\(path) cannot be run: \(reason)" }
    }

    /// Returns the place of a program, by `PATH`; nil when it is not there.
    static func path(of program: String) -> String? {
        let places = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        return places.split(separator: ":").map { "\($0)/\(program)" }
            .first { FileContents.isExecutable($0) }
    }

    /// - Parameters:
    ///   - arguments: The arguments without the program's own name.
    ///   - environment: `NAME=value`, and nothing else is passed on.
    ///   - output: A file for standard output, made anew; `errors`, one for standard error.
    /// - Returns: Its exit status, or 128 and the signal that ended it, as a shell has it.
    static func run(
        _ path: String,
        arguments: [String],
        environment: [String],
        output: String,
        errors: String
    ) async throws -> Int32 {
        let start = ProgramStart(
            path: Array(path.utf8),
            arguments: ([path] + arguments).map { Array($0.utf8) },
            environment: environment.map { Array($0.utf8) },
            streams: .files(output: output, errors: errors),
            signals: .none
        )
        let process: pid_t
        do {
            process = try await BlockingWork.run { try start.start() }
        } catch {
            throw CannotStart(path: path, reason: "\(error)")
        }
        // A thread of its own: the proxy that the program waits for needs those of the common pool.
        let waiting = NIOThreadPool(numberOfThreads: 1)
        waiting.start()
        let status = try await waiting.runIfActive {
            var status: Int32 = 0
            while waitpid(process, &status, 0) == -1, errno == EINTR {}
            return CommandEnding(status: status).code
        }
        try await waiting.shutdownGracefully()
        return status
    }
}
