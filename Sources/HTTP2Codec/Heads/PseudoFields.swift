import Bytes
import HTTP1Codec

/// The pseudo-fields of one head, until the first line of the head is made of them (RFC 9113, section 8.3).
struct PseudoFields: Sendable {
    /// The bytes that the ranges below refer to.
    private(set) var bytes = ByteStore()
    private(set) var method: Range<Int>?
    private(set) var path: Range<Int>?
    private(set) var authority: Range<Int>?
    private(set) var scheme: URIScheme?
    private(set) var status: Int?

    mutating func reset() {
        bytes.removeAll(keepingAtMost: 1_024)
        method = nil
        path = nil
        authority = nil
        scheme = nil
        status = nil
    }

    mutating func takeRequest(_ kind: FieldKind, _ value: Span<UInt8>) throws(MalformedHead) {
        switch kind {
        case .method:
            guard method == nil else { throw .pseudoFieldRepeated }
            method = keep(value)
        case .scheme:
            guard scheme == nil else { throw .pseudoFieldRepeated }
            guard let named = URIScheme(name: value) else { throw .schemeUnknown }
            scheme = named
        case .authority:
            guard authority == nil else { throw .pseudoFieldRepeated }
            guard AuthoritySyntax.isValid(value, port: .optional) else { throw .message(.hostMalformed) }
            authority = keep(value)
        case .path:
            guard path == nil else { throw .pseudoFieldRepeated }
            path = keep(value)
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
            guard let digit = value[index].decimalValue else { throw .statusMalformed }
            status = status * 10 + Int(digit)
        }
        guard status >= 100 else { throw .statusMalformed }
        guard status != 101 else { throw .switchingProtocols }
        self.status = status
    }

    private mutating func keep(_ value: Span<UInt8>) -> Range<Int> {
        let start = bytes.count
        bytes.append(value)
        return start..<bytes.count
    }
}
