import Bytes
import Files

/// Runs clients of this machine, with their output in files of a directory.
struct ClientRun: Sendable {
    struct Outcome: Sendable {
        let code: Int32
        let output: String
        let errors: String

        /// The line in which it says what went wrong, as far as that can be told.
        var complaint: String {
            let lines = errors.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
            let telling = lines.first { line in Self.signs.contains { line.lowercased().contains($0) } }
            let told = telling ?? lines.last ?? "it ended with code \(code)"
            return "\(PrintableText(String(told), limit: 240))"
        }

        private static let signs = ["certificate", "error", "exception", "could not", "cannot", "failed", "unable"]
    }

    let directory: String

    /// - Returns: Nil when it cannot be started.
    func run(_ path: String, _ arguments: [String], environment: [String]) async -> Outcome? {
        let (output, errors) = ("\(directory)/output", "\(directory)/errors")
        let code = try? await ChildProcess.run(
            path,
            arguments: arguments,
            environment: environment,
            output: output,
            errors: errors
        )
        guard let code else { return nil }
        return await BlockingWork.run {
            Outcome(code: code, output: Self.text(output), errors: Self.text(errors))
        }
    }

    private static func text(_ path: String) -> String {
        (try? FileContents.read(path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
