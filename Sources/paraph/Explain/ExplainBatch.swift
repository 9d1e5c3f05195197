import ArgumentParser
import Glibc
import OAuthSigning

/// `paraph explain --batch`: a line in, a line out, for as long as standard input lasts.
enum ExplainBatch {
    static func run() throws {
        var lines = BatchLines()
        do throws(FileBytes.SystemError) {
            while let bytes = try FileBytes.next(STDIN_FILENO) {
                for line in lines.append(bytes) { try answer(line) }
            }
            if let line = lines.last { try answer(line) }
        } catch {
            StandardError.print("paraph: standard input or output failed (error \(error.number)).")
            throw ExitCode.unavailable
        }
    }

    private static func answer(_ line: [UInt8]) throws(FileBytes.SystemError) {
        try FileBytes.write(Array((BatchAnswer.answer(to: line) + "\n").utf8), to: STDOUT_FILENO)
    }
}
