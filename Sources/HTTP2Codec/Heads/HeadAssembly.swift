import Bytes
import HTTP1Codec
import NIOCore

/// A head or trailer section that is being made of the fields of one block: its lines in the form of HTTP/1.1, and
/// where they lie.
///
/// The first fault is kept, and nothing is gathered after it, because the rest of the block is decoded for the sake of
/// the table alone. So a block of small references to large entries costs no more than its own length.
struct HeadAssembly: Sendable {
    enum Kind { case request, response, trailers, nothing }

    private enum Stage {
        /// No first line has been made, so that pseudo-fields may still come.
        case pseudoFields
        case fields
        /// Fields are not gathered.
        case skipping
        /// They are gathered no longer.
        case failed(HeaderBlockError)
    }

    private var kind = Kind.nothing
    private var stage = Stage.skipping
    private var lines = ByteStore()
    /// The index at which the first field line begins among `lines`.
    private var firstLine = 0
    private var layouts: [FieldLayout] = []
    private var pseudoFields = PseudoFields()
    private var requestLine: RequestLine?
    private var contentLength: UInt64?
    private var expectsContinue = false
    private var hasHostField = false
    /// The values of Cookie fields, joined.
    private var cookie = ByteStore()
    private var hasCookie = false
    private var fieldsLeft = 0
    private var bytesLeft = 0

    /// Indicates whether fields are not, or no longer, gathered.
    var isSkipping: Bool {
        switch stage {
        case .pseudoFields, .fields: false
        case .skipping, .failed: true
        }
    }

    /// The storage that waits for the next head, in bytes.
    var heldBytes: Int {
        lines.bytes.count + cookie.bytes.count + pseudoFields.bytes.bytes.count
            + layouts.capacity * MemoryLayout<FieldLayout>.stride
    }

    mutating func begin(_ kind: Kind, limits: MessageLimits) {
        self.kind = kind
        stage =
            switch kind {
            case .request, .response: .pseudoFields
            case .trailers: .fields
            case .nothing: .skipping
            }
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
        fieldsLeft = kind == .trailers ? limits.trailerFields : limits.fields
        bytesLeft = kind == .trailers ? limits.trailerBytes : limits.headerBytes
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
                if case .pseudoFields = stage { try beginLines() }
                try addLine(entry, of: bytes.span)
            case .malformed:
                throw .malformed(.fieldNameMalformed)
            case .method, .scheme, .authority, .path, .status, .unknownPseudo:
                try addPseudoField(entry.traits.kind, bytes.span.extracting(entry.value))
            }
        } catch {
            stage = .failed(error)
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
        guard case .pseudoFields = stage else { throw .malformed(.pseudoFieldMisplaced) }
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
        let framing = try framing(endsStream: endsStream)
        return RequestHead(
            fields: fields,
            line: line,
            framing: framing,
            expectsContinue: expectsContinue && !endsStream
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
        let framing = isBodiless ? .none : try framing(endsStream: endsStream)
        return ResponseHead(fields: fields, status: status, framing: framing)
    }

    mutating func finishTrailers() throws(HeaderBlockError) -> FieldSection {
        try finish()
    }

    /// - Throws: The fault that was kept.
    private mutating func finish() throws(HeaderBlockError) -> FieldSection {
        switch stage {
        case .pseudoFields: try beginLines()
        case .fields, .skipping: break
        case .failed(let error): throw error
        }
        if hasCookie {
            let cookie = self.cookie.bytes
            appendLine("cookie", .cookie, value: cookie.span.extracting(0..<self.cookie.count))
        }
        lines.append("\r\n")
        return FieldSection(bytes: lines.copy(), start: firstLine, lines: layouts)
    }

    private func framing(endsStream: Bool) throws(HeaderBlockError) -> BodyFraming {
        guard endsStream else { return contentLength.map(BodyFraming.length) ?? .endOfStream }
        guard contentLength ?? 0 == 0 else { throw .malformed(.contentLengthWithoutBody) }
        return .none
    }
}

extension HeadAssembly {
    /// Fields of HTTP/1.1 that belong to a connection (RFC 9113, section 8.2.2).
    private static let connectionFields: KnownFieldSet = [
        .connection, .keepAlive, .proxyConnection, .transferEncoding, .upgrade,
    ]

    /// Judges a field that means something to the head.
    ///
    /// - Returns: Whether its line is to be kept.
    private mutating func keeps(_ field: KnownField, value: Span<UInt8>) throws(MalformedHead) -> Bool {
        if Self.connectionFields.contains(field) { throw .connectionField }
        if kind == .trailers {
            // The same names as in a trailer section of HTTP/1.1.
            if KnownFieldSet.refusedInTrailers.contains(field) { throw .message(.trailerFieldForbidden) }
            return !KnownFieldSet.droppedFromTrailers.contains(field)
        }
        switch field {
        case .contentLength:
            guard contentLength == nil else { throw .message(.contentLengthRepeated) }
            do throws(MessageError) {
                contentLength = try ContentLength.parse(value)
            } catch {
                throw .message(error)
            }
        case .te:
            guard kind == .request, value.spellsIgnoringCase("trailers") else { throw .teMalformed }
        case .host:
            return try keepsHost(value)
        case .expect where kind == .request:
            if value.spellsIgnoringCase("100-continue") { expectsContinue = true }
        case .cookie where kind == .request:
            // One line for all crumbs (RFC 9113, section 8.2.3), since they may stand apart. An empty one adds nothing
            // to it: behind the last delimiter the value would end with a space, which the next server refuses.
            hasCookie = true
            if value.isEmpty { return false }
            if cookie.count > 0 { cookie.append("; ") }
            cookie.append(value)
            return false
        default:
            break
        }
        return true
    }

    private mutating func keepsHost(_ value: Span<UInt8>) throws(MalformedHead) -> Bool {
        guard !hasHostField else { throw .message(.hostRepeated) }
        hasHostField = true
        if let authority = pseudoFields.authority {
            let bytes = pseudoFields.bytes.bytes
            guard value.equalsIgnoringCase(bytes.span.extracting(authority)) else { throw .hostDiffers }
            return false
        }
        guard AuthoritySyntax.isValid(value, port: .optional) else { throw .message(.hostMalformed) }
        return true
    }

    /// Makes the first line of the head, and of `:authority` the Host line.
    private mutating func beginLines() throws(HeaderBlockError) {
        stage = .fields
        do throws(MalformedHead) {
            switch kind {
            case .request: try beginRequest()
            case .response: try beginResponse()
            case .trailers, .nothing: return
            }
        } catch {
            throw .malformed(error)
        }
    }

    private mutating func beginRequest() throws(MalformedHead) {
        let bytes = pseudoFields.bytes.bytes
        guard let method = pseudoFields.method else { throw .pseudoFieldMissing }
        // A server need not offer CONNECT inside a connection (RFC 9113, section 8.5), and the extended form (RFC 8441)
        // not before its SETTINGS say so; without that, `:protocol` is a pseudo-field that is not defined.
        guard !bytes.span.extracting(method).spells("CONNECT") else { throw .connectUnsupported }
        guard let path = pseudoFields.path, let scheme = pseudoFields.scheme else {
            throw .pseudoFieldMissing
        }
        do throws(MessageError) {
            requestLine = try RequestLine(
                method: bytes.span.extracting(method),
                path: bytes.span.extracting(path),
                scheme: scheme
            )
        } catch {
            throw .message(error)
        }
        lines.append(atMost: method.count + path.count + 10) { target, end in
            ByteCopying.copy(bytes.span.extracting(method), to: &target, at: &end)
            target[end] = 0x20
            end += 1
            ByteCopying.copy(bytes.span.extracting(path), to: &target, at: &end)
            ByteCopying.copy(" HTTP/2\r\n", to: &target, at: &end)
        }
        firstLine = lines.count
        if let authority = pseudoFields.authority {
            appendLine("host", .host, value: bytes.span.extracting(authority))
        }
    }

    private mutating func beginResponse() throws(MalformedHead) {
        guard let status = pseudoFields.status else { throw .pseudoFieldMissing }
        lines.append(atMost: 15) { target, end in
            ByteCopying.copy("HTTP/2.0 000 \r\n", to: &target, at: &end)
            target[9] += UInt8(status / 100)
            target[10] += UInt8(status / 10 % 10)
            target[11] += UInt8(status % 10)
        }
        firstLine = lines.count
    }

    private mutating func appendLine(_ name: StaticString, _ known: KnownField, value: Span<UInt8>) {
        layouts.append(
            FieldLayout(
                nameLength: UInt16(name.utf8CodeUnitCount),
                valueLength: UInt32(value.count),
                known: known
            )
        )
        lines.append(atMost: name.utf8CodeUnitCount + value.count + 4) { target, end in
            ByteCopying.copy(name, to: &target, at: &end)
            ByteCopying.copy(": ", to: &target, at: &end)
            ByteCopying.copy(value, to: &target, at: &end)
            ByteCopying.copy("\r\n", to: &target, at: &end)
        }
    }
}
