import ArgumentParser
import Glibc
import OAuthSigning

/// `paraph explain --batch`: a line in, a line out, for as long as standard input lasts.
enum ExplainBatch {
    static func run() throws {
        var pending: [UInt8] = []
        do throws(FileOctets.SystemError) {
            while let octets = try FileOctets.next(STDIN_FILENO) {
                pending += octets
                try answerWholeLines(&pending)
            }
            try answer(pending[...])
        } catch {
            StandardError.print("paraph: standard input or output failed (error \(error.number)).")
            throw ExitCode.unavailable
        }
    }

    /// Answers all lines that have ended, and leaves the rest.
    private static func answerWholeLines(_ pending: inout [UInt8]) throws(FileOctets.SystemError) {
        var rest = pending[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            try answer(rest[..<end])
            rest = rest[(end + 1)...]
        }
        pending = Array(rest)
    }

    /// Answers one line; an empty one is none.
    private static func answer(_ line: ArraySlice<UInt8>) throws(FileOctets.SystemError) {
        let isBlank = line.allSatisfy {
            $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r")
        }
        if isBlank { return }
        try FileOctets.write(Array((BatchAnswer.answer(to: Array(line)) + "\n").utf8), to: STDOUT_FILENO)
    }
}
