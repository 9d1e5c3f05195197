import OAuthSigning

/// The order in which some signer puts the parameters together.
enum ParameterOrder: Sendable {
    /// RFC 5849, section 3.4.1.3.2: by name, then by value, as bytes after encoding.
    case encoded
    case beforeEncoding
    case namesOnly
    /// As `name=value`, so that the `=` takes part.
    case pairs
    case ignoringCase
    /// Not at all: as they stand, these before those.
    case received([ParameterOrigin])
    /// Each of these by itself.
    case groups([ParameterOrigin])

    /// A parameter and what is written of it.
    struct Entry {
        let parameter: RecipeParameter
        let name: [UInt8]
        let value: [UInt8]

        var pair: [UInt8] { parameter.hasEquals ? name + [UInt8(ascii: "=")] + value : name }
    }

    func arranged(_ entries: [Entry]) -> [Entry] {
        switch self {
        case .encoded: Self.sorted(entries) { ($0.name, $0.value) }
        case .beforeEncoding: Self.sorted(entries) { ($0.parameter.name, $0.parameter.value) }
        case .namesOnly: Self.sorted(entries) { ($0.name, []) }
        case .pairs: Self.sorted(entries) { ($0.pair, []) }
        case .ignoringCase: Self.sorted(entries) { ($0.name.map(\.lowercasedASCII), $0.value) }
        case .received(let origins): Self.grouped(entries, origins)
        case .groups(let origins): Self.grouped(Self.sorted(entries) { ($0.name, $0.value) }, origins)
        }
    }

    private static func sorted(_ entries: [Entry], by key: (Entry) -> ([UInt8], [UInt8])) -> [Entry] {
        entries.map { (key: key($0), entry: $0) }
            .sorted { one, other in
                one.key.0 == other.key.0
                    ? one.key.1.lexicographicallyPrecedes(other.key.1)
                    : one.key.0.lexicographicallyPrecedes(other.key.0)
            }
            .map(\.entry)
    }

    private static func grouped(_ entries: [Entry], _ origins: [ParameterOrigin]) -> [Entry] {
        origins.flatMap { origin in entries.filter { $0.parameter.origin == origin } }
    }
}
