/// The protocol parameters as they are sent, in the order of their names, with gaps for what changes from request to request.
struct SentParameters: Sendable {
    private var slots: [Slot] = []

    /// One parameter: its name and, unless it changes, its value.
    private struct Slot: Sendable {
        var name: [UInt8]
        var value: Value
    }

    private enum Value: Sendable {
        case constant([UInt8])
        case variable(Variable)
    }

    /// A value that each request has its own of.
    enum Variable: Int, Sendable {
        case nonce
        case timestamp
        case signature
    }

    /// How names and values are put together.
    enum Syntax: Sendable {
        /// `name="value", name="value"` (RFC 5849 §3.5.1).
        case header
        /// `name=value&name=value` (RFC 5849 §3.5.2, §3.5.3).
        case form
    }

    mutating func append(name: String, constant: String) {
        slots.append(
            Slot(name: PercentEncoding.encode(name.utf8), value: .constant(PercentEncoding.encode(constant.utf8)))
        )
    }

    mutating func append(name: String, variable: Variable) {
        slots.append(Slot(name: PercentEncoding.encode(name.utf8), value: .variable(variable)))
    }

    /// To be called once, when all are there.
    mutating func sort() {
        slots.sort { $0.name.lexicographicallyPrecedes($1.name) }
    }

    /// The octets that names and constant values take, with room for what stands between them.
    var octetCount: Int {
        slots.reduce(0) { sum, slot in
            if case .constant(let value) = slot.value { return sum + slot.name.count + value.count + 8 }
            return sum + slot.name.count + 8
        }
    }

    /// The names, not encoded: none of the signer's own needs to be.
    var names: [[UInt8]] { slots.map(\.name) }
}

extension SentParameters {
    private static let comma = PercentEncoding.word(", ".utf8)
    private static let ampersand = PercentEncoding.word("&".utf8)
    private static let equalsQuote = PercentEncoding.word("=\"".utf8)
    private static let equals = PercentEncoding.word("=".utf8)
    private static let quote = PercentEncoding.word("\"".utf8)
    private static let nothing: UInt64 = 0

    /// Appends all parameters.
    /// - Parameters:
    ///   - further: those of this request alone, sorted by name.
    func write(
        to buffer: inout OctetBuffer,
        as syntax: Syntax,
        nonce: Span<UInt8>,
        timestamp: Span<UInt8>,
        signature: Span<UInt8>,
        further: [EncodedParameter]
    ) {
        let separator = syntax == .header ? Self.comma : Self.ampersand
        let opening = syntax == .header ? Self.equalsQuote : Self.equals
        let closing = syntax == .header ? Self.quote : Self.nothing
        var next = further.startIndex
        var isFirst = true
        for slot in slots {
            while next < further.endIndex, further[next].name.lexicographicallyPrecedes(slot.name) {
                if !isFirst { buffer.append(packed: separator) }
                isFirst = false
                buffer.append(further[next], opening: opening, closing: closing)
                next += 1
            }
            if !isFirst { buffer.append(packed: separator) }
            isFirst = false
            buffer.append(slot.name)
            buffer.append(packed: opening)
            switch slot.value {
            case .constant(let value): buffer.append(value)
            case .variable(.nonce): buffer.append(encoding: nonce, with: PercentEncoding.single)
            case .variable(.timestamp): buffer.append(encoding: timestamp, with: PercentEncoding.single)
            case .variable(.signature): buffer.append(encoding: signature, with: PercentEncoding.single)
            }
            buffer.append(packed: closing)
        }
        for parameter in further[next...] {
            if !isFirst { buffer.append(packed: separator) }
            isFirst = false
            buffer.append(parameter, opening: opening, closing: closing)
        }
    }
}

extension OctetBuffer {
    fileprivate mutating func append(_ parameter: EncodedParameter, opening: UInt64, closing: UInt64) {
        append(parameter.name)
        append(packed: opening)
        append(parameter.value)
        append(packed: closing)
    }
}
