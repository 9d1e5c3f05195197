/// Frames written as text: a type with flags, a stream and a payload, such as `HEADERS+ES+EH 1 $GET` or
/// `DATA+ES 1 "abc"`.
///
/// A payload is made of bytes in hexadecimal digits, `"text"`, `N*HH` for a repetition and `$NAME` for a header block
/// of `blocks`. A type may be a number, and `RAW` has bytes alone. `LENGTH=N` says something else than the true length.
enum FrameText {
    struct Malformed: Error { let text: String }

    static let types: [String: UInt8] = [
        "DATA": 0, "HEADERS": 1, "PRIORITY": 2, "RST_STREAM": 3, "SETTINGS": 4, "PUSH_PROMISE": 5, "PING": 6,
        "GOAWAY": 7, "WINDOW_UPDATE": 8, "CONTINUATION": 9,
    ]
    static let flags: [String: UInt8] = ["ES": 0x01, "ACK": 0x01, "EH": 0x04, "PAD": 0x08, "PRIO": 0x20]

    /// Header blocks that use the static table and literals without indexing only (RFC 7541, appendix A).
    static let blocks: [String: [UInt8]] = [
        "GET": [0x82, 0x87, 0x84, 0x01, 0x01, 0x68],
        "POST": [0x83, 0x87, 0x84, 0x01, 0x01, 0x68],
        "LEN0": [0x0F, 0x0D, 0x01, 0x30],
        "LEN5": [0x0F, 0x0D, 0x01, 0x35],
        "200": [0x88],
        "204": [0x89],
        "304": [0x8B],
        "100": [0x08, 0x03, 0x31, 0x30, 0x30],
        "101": [0x08, 0x03, 0x31, 0x30, 0x31],
        "103": [0x08, 0x03, 0x31, 0x30, 0x33],
        "TRAILER": [0x00, 0x01, 0x61, 0x01, 0x62],
        "CAPITAL": [0x00, 0x01, 0x41, 0x01, 0x62],
        "CORRUPT": [0x80],
        // A field with indexing, and the reference to it.
        "INDEXED": [0x40, 0x01, 0x78, 0x01, 0x79],
        "REFERENCE": [0xBE],
    ]

    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    static func bytes(_ text: Substring) throws -> [UInt8] {
        var words = text.split(separator: " ")
        guard let name = words.first else { throw Malformed(text: String(text)) }
        words.removeFirst()
        if name == "PREFACE" { return preface }
        if name == "RAW" { return try words.flatMap(payload) }
        let parts = name.split(separator: "+")
        guard let type = types[String(parts[0])] ?? UInt8(parts[0]), let stream = words.first,
            let streamID = UInt32(stream)
        else { throw Malformed(text: String(text)) }
        words.removeFirst()
        var length: Int?
        if let word = words.first, word.hasPrefix("LENGTH=") {
            length = Int(word.dropFirst(7))
            words.removeFirst()
        }
        let flags = try parts.dropFirst().reduce(into: UInt8(0)) { flags, part in
            guard let flag = self.flags[String(part)] else { throw Malformed(text: String(text)) }
            flags |= flag
        }
        let payload = try words.flatMap(payload)
        return frame(type: type, flags: flags, streamID: streamID, payload: payload, length: length)
    }

    static func frame(
        type: UInt8,
        flags: UInt8,
        streamID: UInt32,
        payload: [UInt8],
        length: Int? = nil
    ) -> [UInt8] {
        let length = length ?? payload.count
        return [UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), type, flags]
            + integer(streamID) + payload
    }

    static func integer(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) }
    }

    private static func payload(_ word: Substring) throws -> [UInt8] {
        if word.hasPrefix("$") {
            guard let block = blocks[String(word.dropFirst())] else { throw Malformed(text: String(word)) }
            return block
        }
        if word.hasPrefix("\"") { return Array(word.dropFirst().dropLast().utf8) }
        if let star = word.firstIndex(of: "*") {
            guard let count = Int(word[..<star]) else { throw Malformed(text: String(word)) }
            let piece = try payload(word[word.index(after: star)...])
            return Array(repeatElement(piece, count: count).joined())
        }
        var bytes: [UInt8] = []
        var rest = word
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { throw Malformed(text: String(word)) }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
