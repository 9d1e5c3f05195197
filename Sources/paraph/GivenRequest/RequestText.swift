import Bytes

/// A request as a file has it, in whichever of the formats: which one it is, is told by the text itself.
enum RequestText {
    /// The most bytes that are read.
    static let limit = 64 * 1_048_576

    /// - Parameter entry: The number of the request where there are several, from 1; nil: there is one.
    /// - Throws: ``GivenRequestError``.
    static func request(_ bytes: [UInt8], entry: Int? = nil) throws(GivenRequestError) -> GivenRequest {
        var bytes = bytes[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        bytes = bytes.drop { $0 <= 0x20 }
        guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
        guard let first = bytes.first else { throw .empty }
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        var firstLine = String(decoding: bytes[..<end], as: UTF8.self)
        if firstLine.last?.isNewline ?? false { firstLine.removeLast() }
        if firstLine.hasSuffix("\r") { firstLine.removeLast() }

        if let request = verboseRequest(bytes) { return try only(HTTPRequestText.request(request), entry) }
        let requestLine = firstLine.hasPrefix("> ") ? firstLine.dropFirst(2) : firstLine[...]
        if HTTPRequestText.isRequestLine(requestLine) || HTTPRequestText.isPseudoField(requestLine) {
            return try only(HTTPRequestText.request(Array(bytes)), entry)
        }
        if CurlText.isCommand(firstLine) {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw .malformed(.curl, "it is not UTF-8.")
            }
            return try only(CurlText.request(text), entry)
        }
        if let log = AccessLogText(String(decoding: bytes, as: UTF8.self)) {
            return log.request(try index(entry, among: log.list))
        }
        if let message = AccessLogText.otherMessage(firstLine) { throw .otherLogLine(message) }
        guard first == UInt8(ascii: "{") else { throw .unknownFormat(firstLine: firstLine) }
        let archive = try HARText(Array(bytes))
        return archive.request(try index(entry, among: archive.list))
    }

    /// Returns the part of what `curl --verbose` prints that begins with the last request but one that asks a proxy for
    /// a tunnel; nil for something else.
    private static func verboseRequest(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        let marks = ["*", "{", "<", "%", "Note:"].map { Array($0.utf8) }
        guard marks.contains(where: { bytes.starts(with: $0) }) else { return nil }
        let newline = UInt8(ascii: "\n")
        let beginnings = bytes.indices.filter { index in
            guard bytes[index...].starts(with: "> ".utf8) else { return false }
            guard index == bytes.startIndex || bytes[index - 1] == newline else { return false }
            let line = String(decoding: bytes[(index + 2)...].prefix { $0 != newline }, as: UTF8.self)
            return !line.hasPrefix("CONNECT ") && HTTPRequestText.isRequestLine(line.prefix { !$0.isNewline })
        }
        return beginnings.last.map { Array(bytes[$0...]) }
    }

    private static func only(_ request: GivenRequest, _ entry: Int?) throws(GivenRequestError) -> GivenRequest {
        if let entry, entry != 1 { throw .noEntry(entry, count: 1) }
        return request
    }

    private static func index(_ entry: Int?, among list: [String]) throws(GivenRequestError) -> Int {
        guard let entry else {
            if list.isEmpty { throw .empty }
            guard list.count == 1 else { throw .severalEntries(list) }
            return 0
        }
        guard list.indices.contains(entry - 1) else { throw .noEntry(entry, count: list.count) }
        return entry - 1
    }
}
