import Bytes
import Credentials
import HTTP1Codec
import Inspection
import NIOCore

/// Heads as they are shown: printable, bounded, and without what may be secret.
enum HeadText {
    /// The most characters of a line, or of another text.
    static let limit = 2048
    /// The most lines of a head.
    private static let mostLines = 128
    /// The most bytes of a head that are read.
    private static let mostBytes = 16 * 1024

    // MARK: Requests

    /// Returns the head of a request as it is shown: a line for each of its own, without what may be secret.
    ///
    /// - Parameter field: One whose value is secret, whatever its name tells; nil: none.
    static func lines(of head: RequestHead, hiding field: TokenField? = nil) -> [String] {
        let version =
            switch head.version {
            case .http10: "HTTP/1.0"
            case .http11: "HTTP/1.1"
            case .http2: "HTTP/2"
            }
        let first = requestLine(head.methodBytes, head.target, version)
        return lines(Array(head.fields), behind: first) { line(of: $0, $1, hiding: field) }
    }

    /// Returns the head that is sent for a request, likewise.
    ///
    /// - Parameters:
    ///   - head: The client's, but for what `outgoing` changes.
    ///   - fields: Those that are appended to it.
    static func lines(of head: RequestHead, as outgoing: OutgoingRequest, appending fields: AppendedFields) -> [String]
    {
        let first = requestLine(head.methodBytes, outgoing.target ?? head.target, "HTTP/1.1")
        return lines(outgoing.fields(of: head, appending: fields), behind: first) { name, value in
            line(of: name, value, hiding: outgoing.tokenField)
        }
    }

    private static func requestLine(_ method: ByteBuffer, _ target: ByteBuffer, _ version: String) -> String {
        let target = String(decoding: target.readableBytesView.prefix(mostBytes), as: UTF8.self)
        return printable("\(String(buffer: method)) \(Redaction.target(target)) \(version)")
    }

    private static func line(of name: String, _ value: String, hiding field: TokenField?) -> String {
        guard name.lowercased() != field?.lowercaseName else { return "\(name): \(Redaction.mark)" }
        return "\(name): \(Redaction.field(name, value))"
    }

    // MARK: Responses

    /// Names of fields of responses whose values are shown, in lower case.
    private static let shownFields: Set<String> = [
        "content-type", "content-length", "content-encoding", "transfer-encoding", "connection", "date", "vary",
        "cache-control", "upgrade", "via", "proxy-status",
    ]

    /// Returns the head of a response as it is shown. A server may repeat what it was sent in any field, and in its
    /// reason phrase: of most fields there is the name alone.
    ///
    /// - Parameter scrubber: Finds what may be a secret of the request; nil: not all of that is known.
    static func lines(of head: ResponseHead, _ scrubber: Scrubber?) -> [String] {
        let version =
            switch head.version {
            case .http10: "HTTP/1.0"
            case .http11: "HTTP/1.1"
            case .http2: "HTTP/2.0"
            }
        return lines(Array(head.fields), behind: "\(version) \(head.status)") { line(of: $0, $1, scrubber) }
    }

    /// Returns the head that is sent for a response, likewise.
    ///
    /// - Parameters:
    ///   - dropped: Fields of the head that are not sent.
    ///   - fields: Those that are appended to it.
    static func lines(
        of head: ResponseHead,
        dropping dropped: KnownFieldSet,
        appending fields: AppendedFields,
        _ scrubber: Scrubber?
    ) -> [String] {
        let sent = head.writtenFields(dropping: dropped, appending: fields)
        return lines(sent, behind: "HTTP/1.1 \(head.status)") { line(of: $0, $1, scrubber) }
    }

    private static func line(of name: String, _ value: String, _ scrubber: Scrubber?) -> String {
        let line = "\(name): \(value)"
        let isShown = shownFields.contains(name.lowercased()) && scrubber?.finds(in: line) == false
        return isShown ? line : "\(name): \(Redaction.mark)"
    }

    // MARK: Texts

    private static func lines(
        _ fields: [FieldLine],
        behind first: String,
        _ line: (_ name: String, _ value: String) -> String
    ) -> [String] {
        var lines = [first]
        var left = mostBytes
        for field in fields.prefix(mostLines - 1) where left > 0 {
            let value = String(decoding: field.value.readableBytesView.prefix(left), as: UTF8.self)
            lines.append(printable(line(String(buffer: field.name), value)))
            left -= field.name.readableBytes + field.value.readableBytes + 4
        }
        return lines
    }

    /// Returns a text as it is shown, and a dash for none.
    static func shown(_ text: String) -> String { text.isEmpty ? "-" : printable(text) }

    static func printable(_ text: String) -> String {
        PrintableText(text, limit: limit, escapesQuotes: false).description
    }
}
