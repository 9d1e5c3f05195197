import Bytes
import HTTP1Codec

/// The pseudo-fields of one head, until the first line of the head is made of them (RFC 9113, section 8.3).
struct PseudoFields: Sendable {
    /// What the ranges below mean.
    private(set) var bytes = ByteStore()
    private(set) var method: Range<Int>?
    private(set) var path: Range<Int>?
    private(set) var authority: Range<Int>?
    private(set) var scheme: URIScheme?
    private(set) var status: Int?

    mutating func reset() {
        self.bytes.removeAll(keepingAtMost: 1_024)
        self.method = nil
        self.path = nil
        self.authority = nil
        self.scheme = nil
        self.status = nil
    }

    mutating func takeRequest(_ kind: FieldKind, _ value: Span<UInt8>) throws(MalformedHead) {
        switch kind {
        case .method:
            guard self.method == nil else { throw .pseudoFieldRepeated }
            self.method = self.keep(value)
        case .scheme:
            guard self.scheme == nil else { throw .pseudoFieldRepeated }
            // A scheme may be spelled in either case (RFC 3986, section 3.1).
            if value.spellsIgnoringCase("https") {
                self.scheme = .https
            } else if value.spellsIgnoringCase("http") {
                self.scheme = .http
            } else {
                throw .schemeUnknown
            }
        case .authority:
            guard self.authority == nil else { throw .pseudoFieldRepeated }
            guard AuthoritySyntax.isValid(value, port: .optional) else { throw .message(.hostMalformed) }
            self.authority = self.keep(value)
        case .path:
            guard self.path == nil else { throw .pseudoFieldRepeated }
            self.path = self.keep(value)
        case .field, .status, .unknownPseudo, .malformed:
            throw .pseudoFieldUnknown
        }
    }

    mutating func takeResponse(_ kind: FieldKind, _ value: Span<UInt8>) throws(MalformedHead) {
        guard kind == .status else { throw .pseudoFieldUnknown }
        guard self.status == nil else { throw .pseudoFieldRepeated }
        guard value.count == 3 else { throw .statusMalformed }
        var status = 0
        for index in value.indices {
            let digit = value[index] &- 0x30
            guard digit < 10 else { throw .statusMalformed }
            status = status * 10 + Int(digit)
        }
        guard status >= 100 else { throw .statusMalformed }
        guard status != 101 else { throw .switchingProtocols }
        self.status = status
    }

    private mutating func keep(_ value: Span<UInt8>) -> Range<Int> {
        let start = self.bytes.count
        self.bytes.append(value)
        return start..<self.bytes.count
    }
}
