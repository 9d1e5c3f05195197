import Bytes

/// The field lines of one head while they are being read, with what framing and persistence need of them.
struct HeadFields: Sendable {
    enum Role { case request, response }

    private let role: Role
    private let table = KnownFieldTable.shared
    private(set) var entries: [FieldEntry] = []
    private(set) var present = KnownFieldSet()
    private(set) var contentLength: UInt64?
    private(set) var connection = ConnectionOptions()
    private(set) var expectsContinue = false
    /// Connection options that may name a field of this head, but for `keep-alive`.
    private var nominations = 0
    private var optionCount = 0

    init(role: Role) {
        self.role = role
    }

    /// Makes ready for the next head; the array's storage is used again unless the last head is still held.
    mutating func reset() {
        entries.removeAll(keepingCapacity: true)
        present = KnownFieldSet()
        contentLength = nil
        connection = ConnectionOptions()
        expectsContinue = false
        nominations = 0
        optionCount = 0
    }

    /// Reads one field line that is not empty.
    mutating func read(
        _ line: Range<Int>,
        of bytes: Span<UInt8>,
        limits: MessageLimits
    ) throws(MessageError) {
        guard entries.count < limits.fields else { throw .tooManyFields }
        let entry = try FieldEntry(line: line, of: bytes, table: table)
        if entries.isEmpty { entries.reserveCapacity(24) }
        entries.append(entry)
        switch entry.known {
        case .other:
            return
        case .host:
            guard !present.contains(.host) else { throw .hostRepeated }
            if !entry.value.isEmpty {
                guard AuthoritySyntax.isValid(bytes.extracting(entry.value), port: .optional) else {
                    throw .hostMalformed
                }
            }
        case .contentLength:
            guard contentLength == nil else { throw .contentLengthRepeated }
            // llhttp refuses a tab after the number, so nobody behind this proxy may have to judge one.
            guard !Self.hasTab(bytes, after: entry) else { throw .contentLengthMalformed }
            contentLength = try ContentLength.parse(bytes.extracting(entry.value))
        case .transferEncoding:
            guard !present.contains(.transferEncoding) else { throw .transferEncodingRepeated }
            guard !entry.value.isEmpty, !Self.hasTab(bytes, after: entry) else { throw .transferEncodingMalformed }
            guard bytes.extracting(entry.value).spellsIgnoringCase("chunked") else {
                throw .transferCodingUnsupported
            }
        case .connection:
            try readConnection(entry.value, of: bytes, limits: limits)
        case .proxyConnection:
            readProxyConnection(entry.value, of: bytes)
        case .expect:
            if bytes.extracting(entry.value).spellsIgnoringCase("100-continue") { expectsContinue = true }
        default:
            break
        }
        present.insert(entry.known)
    }

    /// The framing that the fields announce, before the method or the status is considered.
    ///
    /// - Returns: `nil` if neither length nor coding is given.
    func framing(_ version: HTTPVersion) throws(MessageError) -> BodyFraming? {
        if present.contains(.transferEncoding) {
            // RFC 9112, section 6.1: framing is faulty in an HTTP/1.0 message, and beside a Content-Length.
            guard version == .http11 else { throw .transferEncodingInHTTP10 }
            guard contentLength == nil else { throw .contentLengthWithTransferEncoding }
            return .chunked
        }
        return contentLength.map(BodyFraming.length)
    }

    /// Marks the fields that a `Connection` field names, once all lines are read.
    ///
    /// Fields which every recipient needs cannot be taken away like this: a request that tries is refused, as an
    /// attack; in a response the option is ignored, because some servers do list `Transfer-Encoding`.
    mutating func markNominated(in bytes: Span<UInt8>) throws(MessageError) {
        // The commonest option of all names a field that hardly anybody sends.
        let namesKeepAlive = connection.keepAlive && present.contains(.keepAlive)
        guard nominations > 0 || namesKeepAlive else { return }
        for field in entries where field.known == .connection {
            var members = ListMembers(of: field.value)
            while let member = members.next(in: bytes) {
                let option = bytes.extracting(member)
                if option.spellsIgnoringCase("close") { continue }
                for index in entries.indices {
                    let name = entries[index].name
                    guard name.count == member.count, option.equalsIgnoringCase(bytes.extracting(name)) else {
                        continue
                    }
                    if !KnownFieldSet.endToEnd.contains(entries[index].known) {
                        entries[index].isNominated = true
                    } else if role == .request {
                        throw .connectionOptionForbidden
                    }
                }
            }
        }
    }

    private mutating func readConnection(
        _ value: Range<Int>,
        of bytes: Span<UInt8>,
        limits: MessageLimits
    ) throws(MessageError) {
        var members = ListMembers(of: value)
        while let member = members.next(in: bytes) {
            optionCount += 1
            guard optionCount <= limits.connectionOptions else { throw .tooManyConnectionOptions }
            let option = bytes.extracting(member)
            if option.spellsIgnoringCase("close") {
                connection.close = true
            } else if option.spellsIgnoringCase("keep-alive") {
                connection.keepAlive = true
            } else {
                guard option.isToken else {
                    if role == .request { throw .connectionMalformed }
                    // Servers do send "Keep-Alive: timeout=5" here; what they mean is not worth a guess.
                    connection.close = true
                    continue
                }
                if option.spellsIgnoringCase("upgrade") { connection.upgrade = true }
                nominations += 1
            }
        }
    }

    /// The obsolete field can end persistence, as llhttp has it, but never extend it (RFC 9112, appendix C.2.2).
    private mutating func readProxyConnection(_ value: Range<Int>, of bytes: Span<UInt8>) {
        var members = ListMembers(of: value)
        while let member = members.next(in: bytes) {
            if bytes.extracting(member).spellsIgnoringCase("close") { connection.close = true }
        }
    }

    private static func hasTab(_ bytes: Span<UInt8>, after entry: FieldEntry) -> Bool {
        for index in entry.value.upperBound..<entry.line.upperBound - 2 where bytes[index] == 0x09 { return true }
        return false
    }
}

/// The members of a comma-separated list (RFC 9110, section 5.6.1) without the white space around them; empty members
/// are left out, as a recipient must.
private struct ListMembers {
    private var position: Int
    private let end: Int

    init(of value: Range<Int>) {
        position = value.lowerBound
        end = value.upperBound
    }

    mutating func next(in bytes: Span<UInt8>) -> Range<Int>? {
        while position < end {
            var start = position
            var stop = start
            while stop < end, bytes[stop] != 0x2C { stop &+= 1 }
            position = stop &+ 1
            while start < stop, bytes[start].isOptionalWhitespace { start &+= 1 }
            while stop > start, bytes[stop &- 1].isOptionalWhitespace { stop &-= 1 }
            if start < stop { return start..<stop }
        }
        return nil
    }
}

/// The options of the connection itself by the `Connection` fields of a head (RFC 9112, section 9).
package struct ConnectionOptions: Sendable, Equatable {
    package var close = false
    package var keepAlive = false
    package var upgrade = false

    /// Returns whether the connection may carry another message after this one. `close` wins over `keep-alive`.
    func keepsAlive(_ version: HTTPVersion) -> Bool {
        switch version {
        case .http11: !close
        case .http2: true
        case .http10: keepAlive && !close
        }
    }
}
