/// The parts of a body of the type `multipart/form-data` (RFC 7578), as far as signers look at them.
struct MultipartBody: Sendable {
    struct Part: Sendable {
        let name: String
        /// The name of the file; nil for a field that is none.
        let fileName: String?
        let contentType: String?
        let content: [UInt8]
    }

    let parts: [Part]

    /// - Returns: Nil without a boundary, and where no part is found.
    init?(_ body: [UInt8], contentType: [UInt8]) {
        let type = contentType.text
        guard type.lowercased().hasPrefix("multipart/"), let boundary = Self.parameter("boundary", of: type) else {
            return nil
        }
        let pieces = Self.split(body, by: "--".bytes + boundary.bytes)
        parts = pieces.dropFirst().compactMap(Self.part)
        if parts.isEmpty { return nil }
    }

    private static func part(_ piece: [UInt8]) -> Part? {
        let end = ["\r\n\r\n", "\n\n"].map(\.bytes).compactMap { mark in piece.firstRange(of: mark) }.min {
            $0.lowerBound < $1.lowerBound
        }
        guard let end else { return nil }
        let fields = piece[..<end.lowerBound].split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).map { Array($0).text }
        func field(_ name: String) -> String? {
            fields.first { $0.lowercased().hasPrefix(name + ":") }.map { String($0.dropFirst(name.count + 1)).trimmed }
        }
        guard let disposition = field("content-disposition"), let name = parameter("name", of: disposition) else {
            return nil
        }
        var content = Array(piece[end.upperBound...])
        if content.last == 0x0A { content.removeLast() }
        if content.last == 0x0D { content.removeLast() }
        return Part(
            name: name,
            fileName: parameter("filename", of: disposition),
            contentType: field("content-type"),
            content: content
        )
    }

    private static func parameter(_ name: String, of field: String) -> String? {
        for parameter in field.split(separator: ";").dropFirst() {
            let pair = parameter.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, String(pair[0]).trimmed.lowercased() == name else { continue }
            let value = String(pair[1]).trimmed
            return value.hasPrefix("\"") && value.hasSuffix("\"") && value.count > 1
                ? String(value.dropFirst().dropLast()) : value
        }
        return nil
    }

    private static func split(_ bytes: [UInt8], by mark: [UInt8]) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while let range = rest.firstRange(of: mark) {
            pieces.append(Array(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return pieces + [Array(rest)]
    }
}
