import Bytes
import HTTP1Codec

/// An HTTP/1.1 request as text: as it goes over the wire, as an editor keeps it with line ends of its own, or as
/// `curl --verbose` prints it; or one of HTTP/2 as browsers show its head, with `:method: GET` and the like.
struct HTTPRequestText {
    private let bytes: [UInt8]
    /// The position of what is not read yet.
    private var index = 0
    private var line = 0

    /// - Throws: ``GivenRequestError/malformed(_:_:)``.
    static func request(_ bytes: [UInt8]) throws(GivenRequestError) -> GivenRequest {
        var text = HTTPRequestText(bytes: withoutMarks(bytes))
        return try text.read()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Returns whether a line is a request's first one.
    static func isRequestLine(_ line: some StringProtocol) -> Bool {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        return words.count == 3 && isToken(words[0]) && words[2].hasPrefix("HTTP/")
    }

    /// Returns whether a line is one of the pseudo-header fields that a head of HTTP/2 begins with (RFC 9113, section
    /// 8.3.1).
    static func isPseudoField(_ line: some StringProtocol) -> Bool {
        [":method", ":scheme", ":authority", ":path"].contains { name in
            line.hasPrefix(name) && (line.count == name.count || line.dropFirst(name.count).first == ":")
        }
    }

    // MARK: The head

    private mutating func read() throws(GivenRequestError) -> GivenRequest {
        let first = try nextLine() ?? ""
        if Self.isPseudoField(first) { return try readPseudoHead(first) }
        let words = first.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3 else { throw fault("line 1 is not METHOD, target and version.") }
        var request = GivenRequest(format: .http, method: String(words[0]), target: String(words[1]))
        guard request.target.hasPrefix("/") || request.target.contains("://") else {
            throw fault(
                "line 1 has the target \"\(PrintableText(request.target, limit: 100))\"; one that is signed is a path, or a "
                    + "URL."
            )
        }
        try readFields(of: &request)
        try readBody(of: &request)
        return request
    }

    /// Reads a head of HTTP/2, whose parts of the request line are fields that begin with a colon.
    private mutating func readPseudoHead(_ first: String) throws(GivenRequestError) -> GivenRequest {
        var values: [String: String] = [:]
        var text = first
        while text.hasPrefix(":") {
            let parts = text.dropFirst().split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count == 2 ? Self.trimmed(parts[1]) : ""
            guard !value.isEmpty else {
                throw fault(
                    "line \(line), \(PrintableText(text, limit: 30)), has no value behind its name: give the head as source "
                        + "(:method: GET), or copy the request as a curl command."
                )
            }
            values[String(parts[0])] = value
            let end = (index, line)
            guard let next = try nextLine() else { break }
            if !next.hasPrefix(":") { (index, line) = end }
            text = next
        }
        let absent = ["method", "path"].filter { values[$0] == nil }.map { ":\($0)" }
        guard let method = values["method"], let path = values["path"], path.hasPrefix("/") else {
            throw fault(
                "this head of HTTP/2 has no \(absent.isEmpty ? "path" : absent.joined(separator: " and no ")): it begins with "
                    + "the lines :method, :scheme, :authority and :path."
            )
        }
        var request = GivenRequest(format: .http, method: method, target: path)
        request.scheme = values["scheme"].flatMap { URIScheme(rawValue: $0.lowercased()) }
        try readFields(of: &request)
        if let authority = values["authority"] { request.replace("Host", authority) }
        try readBody(of: &request)
        return request
    }

    private mutating func readFields(of request: inout GivenRequest) throws(GivenRequestError) {
        while let text = try nextLine(), !text.isEmpty {
            if let last = request.fields.last, text.first == " " || text.first == "\t" {
                request.fields.removeLast()
                request.fields.append(RequestField(name: last.name, value: last.value + " " + Self.trimmed(text)))
                continue
            }
            guard let colon = text.firstIndex(of: ":"), Self.isToken(text[..<colon]) else {
                throw fault("line \(line) is no field (Name: value); an empty line goes before the body.")
            }
            let value = Self.trimmed(text[text.index(after: colon)...])
            request.fields.append(RequestField(name: String(text[..<colon]), value: value))
        }
    }

    /// Returns the next line without its end; nil when there is none.
    private mutating func nextLine() throws(GivenRequestError) -> String? {
        guard index < bytes.count else { return nil }
        line += 1
        let end = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        var content = bytes[index..<end]
        if content.last == UInt8(ascii: "\r") { content.removeLast() }
        index = min(end + 1, bytes.count)
        guard let text = String(validating: content, as: UTF8.self) else {
            throw fault("line \(line) is not UTF-8.")
        }
        return text
    }

    private static func isToken(_ text: some StringProtocol) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { 0x21...0x7E ~= $0 && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let text = text.drop { $0 == " " || $0 == "\t" }
        return String(text.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }

    private func fault(_ sentence: String) -> GivenRequestError { .malformed(.http, sentence) }

    // MARK: The body

    private mutating func readBody(of request: inout GivenRequest) throws(GivenRequestError) {
        var rest = bytes[index...]
        if request.fieldValue("Transfer-Encoding")?.lowercased().hasSuffix("chunked") ?? false {
            request.body = try chunks()
        } else if let length = request.fieldValue("Content-Length") {
            guard let count = Int(length), count >= 0 else { throw fault("Content-Length is no number of bytes.") }
            if count > rest.count {
                request.notes.append(
                    "Content-Length says \(count) bytes, and \(rest.count) follow the head: some are missing, or an editor "
                        + "has changed the line ends."
                )
            }
            request.body = count == 0 ? nil : Array(rest.prefix(count))
        } else if !rest.isEmpty {
            // What ends the file is not of the body.
            if rest.last == UInt8(ascii: "\n") { rest.removeLast() }
            if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
            request.body = rest.isEmpty ? nil : Array(rest)
        }
    }

    private mutating func chunks() throws(GivenRequestError) -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let text = Self.trimmed(try nextLine() ?? "")
            guard let chunk = try? ChunkSizeLine(text.utf8Span.span), chunk.size <= bytes.count - index else {
                throw fault("line \(line) is not the size of a chunk, in hexadecimal digits, of those that follow.")
            }
            if chunk.size == 0 { return body }
            let content = bytes[index..<(index + Int(chunk.size))]
            line += content.count { $0 == UInt8(ascii: "\n") }
            body += content
            index = content.endIndex
            guard try nextLine() == "" else {
                throw fault("the chunk that ends in line \(line) is longer than it says.")
            }
        }
    }

    // MARK: What curl prints around it

    /// Returns the request in what `curl --verbose` prints: its lines begin with `> `. Anything else is as it is.
    private static func withoutMarks(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.starts(with: "> ".utf8) else { return bytes }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let own = lines.prefix { $0.first == UInt8(ascii: ">") }.map { line in
            line.dropFirst(line.starts(with: "> ".utf8) ? 2 : 1)
        }
        return Array(own.joined(separator: [UInt8(ascii: "\n")]))
    }
}
