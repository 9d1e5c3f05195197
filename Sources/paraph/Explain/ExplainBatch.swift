import ArgumentParser
import Files
import OAuthSigning
import SystemPackage

/// `paraph explain --batch`: a line in, a line out, for as long as standard input lasts.
enum ExplainBatch {
    static func run() async throws {
        do throws(Errno) {
            try await BlockingWork.run { () throws(Errno) in try answerLines() }
        } catch {
            StandardError.print("paraph: standard input or output failed: \(error.reason).")
            throw ExitCode.unavailable
        }
    }

    private static func answerLines() throws(Errno) {
        var lines = BatchLines()
        while let bytes = try FileDescriptor.standardInput.readPiece() {
            for line in lines.append(bytes) { try answer(line) }
        }
        if let line = lines.last { try answer(line) }
    }

    private static func answer(_ line: [UInt8]) throws(Errno) {
        try FileDescriptor.standardOutput.write(all: Array((BatchAnswer.answer(to: line) + "\n").utf8))
    }
}
