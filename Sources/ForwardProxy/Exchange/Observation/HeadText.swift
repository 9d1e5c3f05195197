import Bytes
import Credentials
import Inspection
import NIOCore

/// Heads as they are shown: printable, bounded, and without what may be secret.
enum HeadText {
    /// The most characters of a line, or of another text.
    static let limit = 2048

    /// Returns a head as it is shown: a line for each of its own, without what may be secret.
    ///
    /// - Parameter field: One whose value is secret, whatever its name tells; nil: none.
    static func lines(of head: ByteBuffer, hiding field: TokenField? = nil) -> [String] {
        let text = String(decoding: head.readableBytesView.prefix(16 * 1024), as: UTF8.self)
        return text.split(separator: "\r\n").prefix(128).enumerated().map { index, line in
            if index == 0 { return requestLine(line) }
            guard let colon = line.unicodeScalars.firstIndex(of: ":") else { return printable(String(line)) }
            if let field, line[..<colon].lowercased() == field.lowercaseName {
                return printable("\(line[..<colon]): \(Redaction.mark)")
            }
            let value = line[line.unicodeScalars.index(after: colon)...].drop { $0 == " " }
            return printable("\(line[..<colon]): \(Redaction.field(String(line[..<colon]), String(value)))")
        }
    }

    /// Names of fields of responses whose values are shown, in lower case.
    private static let shownFields: Set<String> = [
        "content-type", "content-length", "content-encoding", "transfer-encoding", "connection", "date", "vary",
        "cache-control", "upgrade", "via", "proxy-status",
    ]

    /// Returns the head of a response as it is shown. A server may repeat what it was sent in any field, and in its
    /// reason phrase: of most fields there is the name alone.
    ///
    /// - Parameter scrubber: Finds what may be a secret of the request; nil: not all of that is known.
    static func responseLines(of head: ByteBuffer, _ scrubber: Scrubber?) -> [String] {
        let text = String(decoding: head.readableBytesView.prefix(16 * 1024), as: UTF8.self)
        return text.split(separator: "\r\n").prefix(128).enumerated().map { index, line in
            if index == 0 { return printable(line.split(separator: " ").prefix(2).joined(separator: " ")) }
            let name = line.prefix { $0 != ":" }
            let isShown = shownFields.contains(name.lowercased()) && scrubber?.finds(in: String(line)) == false
            return printable(isShown ? String(line) : "\(name): \(Redaction.mark)")
        }
    }

    private static func requestLine(_ line: Substring) -> String {
        let words = line.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { return printable(String(line)) }
        let target = words[1].prefix { $0 != " " }
        return printable("\(words[0]) \(Redaction.target(String(target)))\(words[1][target.endIndex...])")
    }

    /// Returns a text as it is shown, and a dash for none.
    static func shown(_ text: String) -> String { text.isEmpty ? "-" : printable(text) }

    static func printable(_ text: String) -> String {
        PrintableText(text, limit: limit, escapesQuotes: false).description
    }
}
