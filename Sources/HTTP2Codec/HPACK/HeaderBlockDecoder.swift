package import HTTP1Codec
package import NIOCore

/// Reads header blocks (RFC 7541; RFC 9113, section 8), one decoder for each direction of a connection.
///
/// Every block that arrives has to pass through here in order, also those of streams that nobody is interested in: the
/// table depends on all of them. After `compression` nothing can be decoded any more.
///
/// Heads come out in the form of HTTP/1.1: `GET /x HTTP/2` with `:authority` as the first line, Host; or
/// `HTTP/2.0 200 `. The crumbs of a cookie are one line, the last (RFC 9113, section 8.2.3).
package struct HeaderBlockDecoder: Sendable {
    private let limits: MessageLimits
    private let staticTable = StaticTable.shared
    private(set) var table: DynamicTable
    /// SETTINGS_HEADER_TABLE_SIZE as the peer has acknowledged it.
    private var tableLimit: Int
    /// Indicates whether the next block must begin with a size update, because the limit was lowered (RFC 7541, section
    /// 4.2).
    private var awaitsSizeUpdate = false
    private var literal = LiteralField()
    private var assembly = HeadAssembly()

    /// - Parameter dynamicTableLimit: The table size, in bytes, that the peer's encoder may use from the start; 4,096
    ///   unless it was told otherwise.
    package init(limits: MessageLimits, dynamicTableLimit: Int = 4_096) {
        self.limits = limits
        tableLimit = dynamicTableLimit
        table = DynamicTable(maximumSize: dynamicTableLimit)
    }

    /// The storage that waits for the next block, in bytes.
    var heldBytes: Int {
        table.bytes.count + literal.bytes.count + assembly.heldBytes
    }

    /// Sets the limit of the dynamic table. To be called when the peer acknowledges SETTINGS with another
    /// SETTINGS_HEADER_TABLE_SIZE.
    package mutating func dynamicTableLimit(_ bytes: Int) {
        if bytes < table.maximumSize { awaitsSizeUpdate = true }
        tableLimit = bytes
    }

    /// - Parameters:
    ///   - block: The whole header block: the payloads of HEADERS and CONTINUATION joined.
    ///   - endsStream: Whether HEADERS has END_STREAM, so that there is no body.
    /// - Returns: A head whose framing is `none`, `length` or `endOfStream`.
    package mutating func request(
        _ block: ByteBuffer,
        endsStream: Bool
    ) throws(HeaderBlockError) -> RequestHead {
        assembly.begin(.request, limits: limits)
        try read(block)
        return try assembly.finishRequest(endsStream: endsStream)
    }

    /// Reads the head of an informational or a final response.
    ///
    /// - Parameter method: That of the request, since a response to HEAD has no body.
    /// - Returns: A head whose framing is `none` also where DATA can only be empty: a 204, a 304, an answer to HEAD.
    package mutating func response(
        _ block: ByteBuffer,
        endsStream: Bool,
        to method: RequestMethod
    ) throws(HeaderBlockError) -> ResponseHead {
        assembly.begin(.response, limits: limits)
        try read(block)
        return try assembly.finishResponse(endsStream: endsStream, to: method)
    }

    /// Reads a trailer section. Fields that mean nothing there are left out, as with HTTP/1.1; none may be left.
    package mutating func trailers(_ block: ByteBuffer) throws(HeaderBlockError) -> FieldSection {
        assembly.begin(.trailers, limits: limits)
        try read(block)
        return try assembly.finishTrailers()
    }

    /// Reads a block for the table's sake alone.
    package mutating func skip(_ block: ByteBuffer) throws(HeaderBlockError) {
        assembly.begin(.nothing, limits: limits)
        try read(block)
    }
}

extension HeaderBlockDecoder {
    private mutating func read(_ block: ByteBuffer) throws(HeaderBlockError) {
        let bytes = block.readableBytesUInt8Span
        var position = 0
        try readSizeUpdates(bytes, at: &position)
        while position < bytes.count {
            let first = bytes[position]
            if first & 0x80 != 0 {
                try readIndexed(bytes, at: &position)
            } else if first & 0x40 != 0 {
                try readLiteral(bytes, at: &position, prefixBits: 6, isIndexed: true)
            } else if first & 0x20 == 0 {
                try readLiteral(bytes, at: &position, prefixBits: 4, isIndexed: false)
            } else {
                // A size update behind a field (RFC 7541, section 4.2).
                throw .compression
            }
        }
        literal.reset()
    }

    private mutating func readSizeUpdates(_ bytes: Span<UInt8>, at position: inout Int) throws(HeaderBlockError) {
        while position < bytes.count, bytes[position] & 0xE0 == 0x20 {
            let size = try PrefixedInteger.read(bytes, at: &position, prefixBits: 5)
            guard size <= tableLimit else { throw .compression }
            table.resize(size)
            awaitsSizeUpdate = false
        }
        guard !awaitsSizeUpdate else { throw .compression }
    }

    private mutating func readIndexed(_ bytes: Span<UInt8>, at position: inout Int) throws(HeaderBlockError) {
        let index = try PrefixedInteger.read(bytes, at: &position, prefixBits: 7)
        if index > StaticTable.count {
            guard let entry = table.entry(at: index - StaticTable.count - 1) else { throw .compression }
            assembly.add(entry, of: table.bytes)
        } else {
            guard index > 0 else { throw .compression }
            assembly.add(staticTable.entries[index - 1], of: staticTable.bytes)
        }
    }

    private mutating func readLiteral(
        _ bytes: Span<UInt8>,
        at position: inout Int,
        prefixBits: Int,
        isIndexed: Bool
    ) throws(HeaderBlockError) {
        let index = try PrefixedInteger.read(bytes, at: &position, prefixBits: prefixBits)
        let field: TableEntry
        if index == 0 {
            if !isIndexed, assembly.isSkipping { return try Self.skipStrings(2, bytes, at: &position) }
            field = try literal.read(bytes, at: &position, name: nil, of: [])
        } else if index <= StaticTable.count {
            if !isIndexed, assembly.isSkipping { return try Self.skipStrings(1, bytes, at: &position) }
            let name = staticTable.entries[index - 1]
            field = try literal.read(bytes, at: &position, name: name, of: staticTable.bytes)
        } else {
            guard let name = table.entry(at: index - StaticTable.count - 1) else { throw .compression }
            if !isIndexed, assembly.isSkipping { return try Self.skipStrings(1, bytes, at: &position) }
            field = try literal.read(bytes, at: &position, name: name, of: table.bytes)
        }
        assembly.add(field, of: literal.bytes)
        if isIndexed { table.add(field, of: literal.bytes) }
    }

    /// Passes strings that neither a head nor the table takes in.
    private static func skipStrings(
        _ count: Int,
        _ bytes: Span<UInt8>,
        at position: inout Int
    ) throws(HeaderBlockError) {
        for _ in 0..<count { _ = try StringLiteral(bytes, at: &position) }
    }
}
