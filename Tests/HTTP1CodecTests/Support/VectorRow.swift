import Foundation
import Testing

/// One row of a vector file: verdict, note and bytes between tabs; lines that begin with `#` are headings.
struct VectorRow: CustomTestStringConvertible, Sendable {
    enum Verdict: Sendable, Equatable {
        /// Both decoders read that many messages to their end.
        case accepted(Int)
        /// We read that many messages, of which llhttp does not take the methods.
        case freer(Int)
        /// Both refuse, we for this reason.
        case refused(String)
        /// We refuse for this reason what llhttp takes: a deliberate strictness.
        case stricter(String)
    }

    let verdict: Verdict
    let note: String
    let bytes: [UInt8]

    var testDescription: String { note }

    static func rows(of file: String) -> [VectorRow] {
        do { return try load(file) } catch { return [] }
    }

    static func load(_ file: String) throws -> [VectorRow] {
        guard let url = Bundle.module.url(forResource: file, withExtension: "tsv", subdirectory: "Vectors") else {
            throw ByteText.Malformed(text: "no file \(file)")
        }
        let text = try String(contentsOf: url, encoding: .utf8)
        return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard columns.count == 3, let verdict = Verdict(columns[0]) else {
                throw ByteText.Malformed(text: String(line))
            }
            return VectorRow(verdict: verdict, note: String(columns[1]), bytes: try ByteText.bytes(columns[2]))
        }
    }
}

extension VectorRow.Verdict {
    init?(_ text: Substring) {
        let parts = text.split(separator: " ")
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case "accepted":
            guard let count = Int(parts[1]) else { return nil }
            self = .accepted(count)
        case "freer":
            guard let count = Int(parts[1]) else { return nil }
            self = .freer(count)
        case "refused": self = .refused(String(parts[1]))
        case "stricter": self = .stricter(String(parts[1]))
        default: return nil
        }
    }
}
