import Files
import Glibc
import SystemPackage

/// Starts a command as a shell or env(1) does: by `PATH` where its name has no slash, and by `/bin/sh` where it is
/// neither a program nor says what runs it.
struct CommandLocation {
    enum Failure: Error, Equatable, CustomStringConvertible {
        case notFound(String)
        case notExecutable(String, reason: String)

        /// The code that shells and env(1) exit with.
        var exitCode: Int32 {
            switch self {
            case .notFound: 127
            case .notExecutable: 126
            }
        }

        var description: String {
            switch self {
            case .notFound(let name): "\(name): there is no such command\(Self.advice(on: name))"
            case .notExecutable(let name, let reason): "\(name) cannot be run: \(reason)"
            }
        }

        /// Words that only a shell understands.
        private static let shellWords: Set<String> = [
            "alias", "cd", "eval", "exec", "export", "for", "if", "set", "source", "ulimit", "umask", "unset", "while",
        ]

        private static func advice(on name: String) -> String {
            if shellWords.contains(name) { return ". It is a word of the shell: paraph exec -- sh -c '\(name) …'" }
            guard name.contains(" ") else { return "" }
            return ". Each word of the command stands by itself, without quotes around all of them; or a shell reads "
                + "them: paraph exec -- sh -c '…'"
        }
    }

    private static let slash = UInt8(ascii: "/")

    /// The files that may be meant, in order.
    /// - Parameter searchPath: The value of `PATH`; an empty part of it is the working directory.
    static func candidates(_ name: [UInt8], searchPath: [UInt8]?) -> [[UInt8]] {
        if name.contains(slash) { return [name] }
        let places = searchPath ?? Array("/usr/local/bin:/usr/bin:/bin".utf8)
        return places.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map { place in
            place.isEmpty ? name : place + [slash] + name
        }
    }

    /// - Parameters:
    ///   - program: Its path is filled in here.
    ///   - searchPath: The value of `PATH`.
    static func start(_ program: ProgramStart, searchPath: [UInt8]?) throws(Failure) -> pid_t {
        guard let name = program.arguments.first, !name.isEmpty else { throw .notFound("\"\"") }
        var problem = Errno.noSuchFileOrDirectory
        for path in candidates(name, searchPath: searchPath) {
            var program = program
            program.path = path
            do throws(Errno) {
                return try program.start()
            } catch  where error == .execFormatError {
                program.path = Array("/bin/sh".utf8)
                program.arguments = [Array("sh".utf8), path] + program.arguments.dropFirst()
                if let process = try? program.start() { return process }
                problem = .execFormatError
            } catch {
                // One that may not be run is remembered; perhaps a later one may.
                if !error.isAbsence { problem = error }
            }
        }
        let text = String(decoding: name, as: UTF8.self)
        throw problem.isAbsence ? .notFound(text) : .notExecutable(text, reason: problem.reason)
    }
}
