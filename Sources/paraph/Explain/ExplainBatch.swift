import ArgumentParser
import Files
import OAuthSigning
import SystemPackage

/// `paraph explain --batch`: a line in, a line out, for as long as standard input lasts.
enum ExplainBatch {
    static func run() throws {
        var lines = BatchLines()
        do throws(Errno) {
            while let bytes = try FileDescriptor.standardInput.readPiece() {
                for line in lines.append(bytes) { try answer(line) }
            }
            if let line = lines.last { try answer(line) }
        } catch {
            StandardError.print("paraph: standard input or output failed: \(error.reason).")
            throw ExitCode.unavailable
        }
    }

    private static func answer(_ line: [UInt8]) throws(Errno) {
        try FileDescriptor.standardOutput.write(all: Array((BatchAnswer.answer(to: line) + "\n").utf8))
    }
}

/// The lines of an input that comes in pieces, without their ends; those that are blank are left out.
struct BatchLines {
    private var pending: [UInt8] = []

    /// - Returns: The lines that end in what has come by now and were not returned before.
    mutating func append(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        pending += bytes
        var lines: [[UInt8]] = []
        var rest = pending[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            if !Self.isBlank(rest[..<end]) { lines.append(Array(rest[..<end])) }
            rest = rest[(end + 1)...]
        }
        pending = Array(rest)
        return lines
    }

    /// The line that nothing ends but the input; nil when there is none.
    var last: [UInt8]? { Self.isBlank(pending[...]) ? nil : pending }

    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
        line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
    }
}
