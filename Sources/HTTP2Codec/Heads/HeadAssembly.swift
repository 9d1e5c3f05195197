import HTTP1Codec
import NIOCore

/// A head or trailer section that is being made of the fields of one block: its lines in the form of HTTP/1.1, and
/// where they lie.
///
/// The first fault is kept, and nothing is gathered after it, because the rest of the block is decoded for the sake of
/// the table alone. So a block of small references to large entries costs no more than its own length.
struct HeadAssembly: Sendable {
    enum Kind { case request, response, trailers, nothing }

    private(set) var kind = Kind.nothing
    private(set) var fault: HeaderBlockError?
    var lines = ByteStore()
    /// The index at which the first field line begins among `lines`.
    var firstLine = 0
    var layouts: [FieldLayout] = []
    var pseudoFields = PseudoFields()
    var requestLine: RequestLine?
    var contentLength: UInt64?
    var expectsContinue = false
    var hasHostField = false
    /// The values of Cookie fields, joined.
    var cookie = ByteStore()
    var hasCookie = false
    /// Indicates whether the first line was made, so that pseudo-fields come too late.
    var hasBegunLines = false
    private var fieldsLeft = 0
    private var bytesLeft = 0

    /// Indicates whether fields are not, or no longer, gathered.
    var isSkipping: Bool { fault != nil || kind == .nothing }

    /// The storage that waits for the next head, in bytes.
    var heldBytes: Int {
        lines.bytes.count + cookie.bytes.count + pseudoFields.bytes.bytes.count
            + layouts.capacity * MemoryLayout<FieldLayout>.stride
    }

    mutating func begin(_ kind: Kind, limits: MessageLimits) {
        self.kind = kind
        fault = nil
        lines.removeAll(keepingAtMost: 4_096)
        firstLine = 0
        layouts.removeAll(keepingCapacity: true)
        pseudoFields.reset()
        requestLine = nil
        contentLength = nil
        expectsContinue = false
        hasHostField = false
        cookie.removeAll(keepingAtMost: 1_024)
        hasCookie = false
        hasBegunLines = kind == .trailers
        fieldsLeft = kind == .trailers ? limits.trailerFields : limits.fields
        bytesLeft = kind == .trailers ? limits.trailerBytes : limits.headerBytes
    }

    /// Keeps the first fault.
    mutating func refuse(_ fault: HeaderBlockError) {
        if self.fault == nil { self.fault = fault }
    }

    /// Takes a field that was not looked at yet but for its traits.
    ///
    /// - Parameter bytes: Where the entry's line lies.
    mutating func add(_ entry: TableEntry, of bytes: [UInt8]) {
        if isSkipping { return }
        do throws(HeaderBlockError) {
            try count(entry)
            switch entry.traits.kind {
            case .field:
                if !hasBegunLines { try beginLines() }
                try addLine(entry, of: bytes.span)
            case .malformed:
                throw .malformed(.fieldNameMalformed)
            case .method, .scheme, .authority, .path, .status, .unknownPseudo:
                try addPseudoField(entry.traits.kind, bytes.span.extracting(entry.value))
            }
        } catch {
            fault = error
        }
    }

    /// Counts as SETTINGS_MAX_HEADER_LIST_SIZE does (RFC 9113, section 6.5.2): name, value and 32 for each field. The
    /// lines in the form of HTTP/1.1 are always shorter. Pseudo-fields count in bytes only.
    @inline(__always)
    private mutating func count(_ entry: TableEntry) throws(HeaderBlockError) {
        guard entry.size <= bytesLeft, entry.nameLength <= Int(UInt16.max) else { throw .tooLarge }
        bytesLeft -= entry.size
        if entry.traits.kind == .field {
            guard fieldsLeft > 0 else { throw .tooLarge }
            fieldsLeft -= 1
        }
        guard entry.traits.isValueValid else { throw .malformed(.fieldValueMalformed) }
    }

    private mutating func addPseudoField(_ kind: FieldKind, _ value: Span<UInt8>) throws(HeaderBlockError) {
        guard !hasBegunLines else { throw .malformed(.pseudoFieldMisplaced) }
        do throws(MalformedHead) {
            if self.kind == .request {
                try pseudoFields.takeRequest(kind, value)
            } else {
                try pseudoFields.takeResponse(kind, value)
            }
        } catch {
            throw .malformed(error)
        }
    }

    @inline(__always)
    private mutating func addLine(_ entry: TableEntry, of bytes: Span<UInt8>) throws(HeaderBlockError) {
        if entry.traits.isKnown {
            do throws(MalformedHead) {
                guard try keeps(entry.traits.known, value: bytes.extracting(entry.value)) else { return }
            } catch {
                throw .malformed(error)
            }
        }
        layouts.append(
            FieldLayout(
                nameLength: UInt16(truncatingIfNeeded: entry.nameLength),
                valueLength: UInt32(truncatingIfNeeded: entry.valueLength),
                known: entry.traits.known
            )
        )
        lines.append(bytes.extracting(entry.line))
    }
}

extension HeadAssembly {
    mutating func finishRequest(endsStream: Bool) throws(HeaderBlockError) -> RequestHead {
        let fields = try finish()
        guard let line = requestLine else { throw .malformed(.pseudoFieldMissing) }
        guard fields.contains(.host) else { throw .malformed(.message(.hostMissing)) }
        let framing = try self.framing(endsStream: endsStream)
        return RequestHead(
            fields: fields,
            line: line,
            framing: framing,
            expectsContinue: self.expectsContinue && !endsStream
        )
    }

    mutating func finishResponse(endsStream: Bool, to method: RequestMethod) throws(HeaderBlockError) -> ResponseHead {
        let fields = try finish()
        guard let status = pseudoFields.status else { throw .malformed(.pseudoFieldMissing) }
        if status < 200 {
            guard !endsStream else { throw .malformed(.interimEndsStream) }
            return ResponseHead(fields: fields, status: status, framing: .none)
        }
        if case .head = method { return ResponseHead(fields: fields, status: status, framing: .none) }
        let isBodiless = status == 204 || status == 304
        let framing = isBodiless ? .none : try self.framing(endsStream: endsStream)
        return ResponseHead(fields: fields, status: status, framing: framing)
    }

    mutating func finishTrailers() throws(HeaderBlockError) -> FieldSection {
        try finish()
    }

    /// - Throws: The fault that was kept.
    private mutating func finish() throws(HeaderBlockError) -> FieldSection {
        if let fault = self.fault { throw fault }
        if !hasBegunLines { try beginLines() }
        if hasCookie {
            let cookie = self.cookie.bytes
            appendLine("cookie", .cookie, value: cookie.span.extracting(0..<self.cookie.count))
        }
        self.lines.append("\r\n")
        return FieldSection(bytes: self.lines.copy(), start: firstLine, lines: layouts)
    }

    private func framing(endsStream: Bool) throws(HeaderBlockError) -> BodyFraming {
        guard endsStream else { return contentLength.map(BodyFraming.length) ?? .endOfStream }
        guard contentLength ?? 0 == 0 else { throw .malformed(.contentLengthWithoutBody) }
        return .none
    }
}
