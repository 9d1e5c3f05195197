import Bytes

/// The reason why a request cannot be taken from what a command was given.
enum GivenRequestError: Error, Equatable {
    /// A path alone, without a Host field.
    case hostMissing(path: String)
    /// A Host field's value that is none.
    case hostMalformed(String)
    /// A scheme for a URL that has another one.
    case schemeTwice(url: String)
    case empty
    case tooLarge(limit: Int)
    /// A text in none of the formats; with its first line.
    case unknownFormat(firstLine: String)
    /// A mistake in a request that is one of the formats, and its place.
    case malformed(RequestFormat, String)
    /// Several requests, one of which is to be chosen.
    case severalEntries([String])
    /// A body that takes part in the signature and is not known; the reason.
    case bodyMissing(String)
    /// A line of the proxy's log that is of no request; with what it says.
    case otherLogLine(String)
    /// A line of a log, which has no signature to be verified.
    case noSignature
    /// There is no entry of that number.
    case noEntry(Int, count: Int)
}

extension GivenRequestError: CustomStringConvertible {
    /// The requests that are listed to choose from.
    private static let shownEntries = 20

    var description: String {
        switch self {
        case .hostMissing(let path):
            "\(Self.shown(path)) is a path, and there is no Host field: give --host, such as --host api.example.com, or "
                + "the URL whole."
        case .hostMalformed(let host):
            "The Host field \"\(PrintableText(host, limit: 100))\" is no host, or host and port."
        case .schemeTwice(let url): "\(Self.shown(url)) has a scheme of its own: leave out --scheme."
        case .empty: "There is no request in what --request names: it is empty."
        case .tooLarge(let limit):
            "What --request names has more than \(limit / 1_048_576) MiB: give the one request, or its entry, alone."
        case .unknownFormat(let line):
            "What --request names is none of \(RequestFormat.list); it begins with \"\(Self.firstWord(line))\"."
        case .malformed(let format, let fault): "The \(format.name) cannot be read: \(fault)"
        case .severalEntries(let entries):
            "There are \(entries.count) requests: choose one with --entry N.\n" + Self.lines(entries)
        case .bodyMissing(let reason): "The fields of a form are signed. \(reason)"
        case .otherLogLine(let message):
            "This line of the log is of no request: its message is \"\(PrintableText(message, limit: 60))\". Take one whose "
                + "message is \"request\"."
        case .noSignature:
            "A line of the access log has no signature: there is nothing to verify, unless --authorization gives one. "
                + "`paraph explain --request` shows how the proxy signs such a request."
        case .noEntry(let number, let count):
            count == 1
                ? "There is one request alone, and no entry \(number): leave out --entry."
                : "There is no entry \(number): they count from 1 to \(count)."
        }
    }

    /// The rest of the line may have a password.
    private static func firstWord(_ line: String) -> PrintableText {
        PrintableText(String(line.prefix { $0 != " " && $0 != "=" && $0 != ":" }), limit: 30)
    }

    private static func shown(_ text: String) -> PrintableText {
        PrintableText(text, limit: 200, escapesQuotes: false)
    }

    private static func lines(_ entries: [String]) -> String {
        let lines = entries.prefix(shownEntries).enumerated().map { "  \($0.offset + 1)  \(shown($0.element))" }
        let rest = entries.count - lines.count
        return (lines + (rest > 0 ? ["  … and \(rest) more"] : [])).joined(separator: "\n")
    }
}
