import HTTP1Codec

/// The static table (RFC 7541, appendix A), its lines in the form in which heads have them.
struct StaticTable: Sendable {
    static let shared = StaticTable()
    static let count = 61

    let bytes: [UInt8]
    /// The entry of index n stands at n - 1.
    let entries: [TableEntry]

    private init() {
        var bytes: [UInt8] = []
        var entries: [TableEntry] = []
        for (name, value) in Self.fields {
            let traits = FieldTraits(name: Array(name.utf8).span)
            let (nameLength, valueLength) = (name.utf8.count, value.utf8.count)
            let start = bytes.count
            entries.append(TableEntry(start: start, nameLength: nameLength, valueLength: valueLength, traits: traits))
            bytes += "\(name): \(value)\r\n".utf8
        }
        self.bytes = bytes
        self.entries = entries
    }

    private static let fields: [(name: String, value: String)] = [
        (":authority", ""), (":method", "GET"), (":method", "POST"), (":path", "/"), (":path", "/index.html"),
        (":scheme", "http"), (":scheme", "https"), (":status", "200"), (":status", "204"), (":status", "206"),
        (":status", "304"), (":status", "400"), (":status", "404"), (":status", "500"), ("accept-charset", ""),
        ("accept-encoding", "gzip, deflate"), ("accept-language", ""), ("accept-ranges", ""), ("accept", ""),
        ("access-control-allow-origin", ""), ("age", ""), ("allow", ""), ("authorization", ""), ("cache-control", ""),
        ("content-disposition", ""), ("content-encoding", ""), ("content-language", ""), ("content-length", ""),
        ("content-location", ""), ("content-range", ""), ("content-type", ""), ("cookie", ""), ("date", ""),
        ("etag", ""), ("expect", ""), ("expires", ""), ("from", ""), ("host", ""), ("if-match", ""),
        ("if-modified-since", ""), ("if-none-match", ""), ("if-range", ""), ("if-unmodified-since", ""),
        ("last-modified", ""), ("link", ""), ("location", ""), ("max-forwards", ""), ("proxy-authenticate", ""),
        ("proxy-authorization", ""), ("range", ""), ("referer", ""), ("refresh", ""), ("retry-after", ""),
        ("server", ""), ("set-cookie", ""), ("strict-transport-security", ""), ("transfer-encoding", ""),
        ("user-agent", ""), ("vary", ""), ("via", ""), ("www-authenticate", ""),
    ]
}
