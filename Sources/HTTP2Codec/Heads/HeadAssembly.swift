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
    /// Where the first field line begins among `lines`.
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
    /// Whether the first line was made, so that pseudo-fields come too late.
    var hasBegunLines = false
    private var fieldsLeft = 0
    private var bytesLeft = 0

    /// Whether fields are not, or no longer, gathered.
    var isSkipping: Bool { self.fault != nil || self.kind == .nothing }

    /// The storage that waits for the next head, in bytes.
    var heldBytes: Int {
        self.lines.bytes.count + self.cookie.bytes.count + self.pseudoFields.bytes.bytes.count
            + self.layouts.capacity * MemoryLayout<FieldLayout>.stride
    }

    mutating func begin(_ kind: Kind, limits: MessageLimits) {
        self.kind = kind
        self.fault = nil
        self.lines.removeAll(keepingAtMost: 4_096)
        self.firstLine = 0
        self.layouts.removeAll(keepingCapacity: true)
        self.pseudoFields.reset()
        self.requestLine = nil
        self.contentLength = nil
        self.expectsContinue = false
        self.hasHostField = false
        self.cookie.removeAll(keepingAtMost: 1_024)
        self.hasCookie = false
        self.hasBegunLines = kind == .trailers
        self.fieldsLeft = kind == .trailers ? limits.trailerFields : limits.fields
        self.bytesLeft = kind == .trailers ? limits.trailerBytes : limits.headerBytes
    }

    /// Keeps the first fault.
    mutating func refuse(_ fault: HeaderBlockError) {
        if self.fault == nil { self.fault = fault }
    }

    /// Takes a field that was not looked at yet but for its traits.
    ///
    /// - Parameter bytes: Where the entry's line lies.
    mutating func add(_ entry: TableEntry, of bytes: [UInt8]) {
        if self.isSkipping { return }
        do throws(HeaderBlockError) {
            try self.count(entry)
            switch entry.traits.kind {
            case .field:
                if !self.hasBegunLines { try self.beginLines() }
                try self.addLine(entry, of: bytes.span)
            case .malformed:
                throw .malformed(.fieldNameMalformed)
            case .method, .scheme, .authority, .path, .status, .unknownPseudo:
                try self.addPseudoField(entry.traits.kind, bytes.span.extracting(entry.value))
            }
        } catch {
            self.fault = error
        }
    }

    /// Counts as SETTINGS_MAX_HEADER_LIST_SIZE does (RFC 9113, section 6.5.2): name, value and 32 for each field. The
    /// lines in the form of HTTP/1.1 are always shorter. Pseudo-fields count in bytes only.
    @inline(__always)
    private mutating func count(_ entry: TableEntry) throws(HeaderBlockError) {
        guard entry.size <= self.bytesLeft, entry.nameLength <= Int(UInt16.max) else { throw .tooLarge }
        self.bytesLeft -= entry.size
        if entry.traits.kind == .field {
            guard self.fieldsLeft > 0 else { throw .tooLarge }
            self.fieldsLeft -= 1
        }
        guard entry.traits.isValueValid else { throw .malformed(.fieldValueMalformed) }
    }

    private mutating func addPseudoField(_ kind: FieldKind, _ value: Span<UInt8>) throws(HeaderBlockError) {
        guard !self.hasBegunLines else { throw .malformed(.pseudoFieldMisplaced) }
        do throws(MalformedHead) {
            if self.kind == .request {
                try self.pseudoFields.takeRequest(kind, value)
            } else {
                try self.pseudoFields.takeResponse(kind, value)
            }
        } catch {
            throw .malformed(error)
        }
    }

    @inline(__always)
    private mutating func addLine(_ entry: TableEntry, of bytes: Span<UInt8>) throws(HeaderBlockError) {
        if entry.traits.isKnown {
            do throws(MalformedHead) {
                guard try self.keeps(entry.traits.known, value: bytes.extracting(entry.value)) else { return }
            } catch {
                throw .malformed(error)
            }
        }
        self.layouts.append(
            FieldLayout(
                nameLength: UInt16(truncatingIfNeeded: entry.nameLength),
                valueLength: UInt32(truncatingIfNeeded: entry.valueLength),
                known: entry.traits.known
            )
        )
        self.lines.append(bytes.extracting(entry.line))
    }
}
