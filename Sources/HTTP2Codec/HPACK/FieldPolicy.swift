import Bytes
import HTTP1Codec

/// The way in which a field is encoded, by its name.
struct FieldPolicy: Sendable {
    enum Form: UInt8, Sendable {
        /// A literal without indexing.
        case literal
        /// A literal that nobody on the way may index (RFC 7541, section 7.1.3).
        case neverIndexed
        /// A field that is kept in the dynamic table when it comes again.
        case indexed
        /// A field that is left out: it belongs to a connection of HTTP/1.1 (RFC 9113, section 8.2.2).
        case omitted
        /// A field that is left out unless it says `trailers`, which a request may.
        case te
    }

    /// The index of the name in the static table, or 0.
    let index: UInt8
    let form: Form
}

/// The policies of all names.
struct FieldPolicyTable: Sendable {
    static let shared = FieldPolicyTable()

    /// The names of the fields that most messages of a connection have in common and that keep nobody's secret. Nothing
    /// else is indexed: the requests of several clients share a connection, and one of them that can see the sizes of
    /// blocks could find out what another sent by guessing it (RFC 7541, section 7.1).
    private static let indexedNames: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "accept-ranges", "allow",
        "access-control-allow-origin", "cache-control", "content-encoding", "content-language", "content-type", "date",
        "server", "strict-transport-security", "user-agent", "vary", "via",
    ]
    private static let neverIndexed: KnownFieldSet = [.authorization, .proxyAuthorization, .cookie, .setCookie]
    private static let omitted: KnownFieldSet = [
        .connection, .keepAlive, .proxyConnection, .transferEncoding, .upgrade, .http2Settings,
    ]

    /// The policies of the known fields, by raw value.
    private var known: [FieldPolicy] = []
    /// The policies of the other names of the static table, by `slot`.
    private var others = [FieldPolicy](repeating: FieldPolicy(index: 0, form: .literal), count: 64)
    private let names = StaticTable.shared

    private init() {
        for field in KnownField.allCases {
            let index = names.entries.firstIndex { $0.traits.known == field && field != .other }
            known.append(FieldPolicy(index: UInt8((index ?? -1) + 1), form: Self.form(of: field)))
        }
        for (position, entry) in names.entries.enumerated()
        where entry.traits.kind == .field && entry.traits.known == .other {
            let name = names.bytes[entry.name]
            let form: FieldPolicy.Form =
                Self.indexedNames.contains(String(decoding: name, as: UTF8.self)) ? .indexed : .literal
            others[Self.slot(of: names.bytes.span.extracting(entry.name))] = FieldPolicy(
                index: UInt8(position + 1),
                form: form
            )
        }
    }

    private static func form(of field: KnownField) -> FieldPolicy.Form {
        if neverIndexed.contains(field) { return .neverIndexed }
        if omitted.contains(field) { return .omitted }
        if field == .te { return .te }
        return indexedNames.contains(field.name) ? .indexed : .literal
    }

    /// - Parameters:
    ///   - knownNumber: The raw value of the known field; 0 for any other name.
    ///   - name: The name, in letters of either case.
    func policy(knownNumber: Int, name: Span<UInt8>) -> FieldPolicy {
        if knownNumber != 0 || name.isEmpty { return known[knownNumber] }
        let policy = others[Self.slot(of: name)]
        guard policy.index > 0 else { return policy }
        let entry = names.entries[Int(policy.index) - 1]
        guard name.equalsIgnoringCase(names.bytes.span.extracting(entry.name)) else { return known[0] }
        return policy
    }

    /// Each name of the static table that is no known field has a slot of its own.
    private static func slot(of name: Span<UInt8>) -> Int {
        (name.count &+ 4 &* Int(name[name.count &- 1] | 0x20)) & 63
    }
}
