import Bytes
import OAuthSigning

/// The order in which some signer puts the parameters together.
enum ParameterOrder: Sendable {
    /// The order of RFC 5849, section 3.4.1.3.2: by name, then by value, as bytes after encoding.
    case encoded
    case beforeEncoding
    case namesOnly
    /// The order of the texts `name=value`, so that the `=` takes part.
    case pairs
    case ignoringCase
    /// The order in which they stand, these before those.
    case received([ParameterOrigin])
    /// The order of the parameters of each of these by itself.
    case groups([ParameterOrigin])
    /// The order of these keys; where they are equal, that in which they stand.
    case keyed(@Sendable (Entry) -> [[UInt8]])
    /// The reverse of the order in which they stand.
    case reversed
    /// The order of those of these origins, which stand before or behind the others.
    case partly(sorted: [ParameterOrigin], isFirst: Bool)
    /// The order of these places in the right one.
    case places([Int])
    /// The order of names in a list, before or behind the others.
    case named([[UInt8]], isFirst: Bool, sortsOthers: Bool)

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
        case .keyed(let key): Self.sorted(entries, by: key)
        case .reversed: entries.reversed()
        case .places(let places):
            Self.picked(Self.sorted(entries) { ($0.name, $0.value) }, places)
        case .partly(let origins, let isFirst):
            Self.joined(
                Self.sorted(entries.filter { origins.contains($0.parameter.origin) }) { ($0.name, $0.value) },
                entries.filter { !origins.contains($0.parameter.origin) },
                isFirst: isFirst
            )
        case .named(let names, let isFirst, let sortsOthers):
            Self.joined(
                names.flatMap { name in entries.filter { $0.parameter.origin == .protocol && $0.parameter.name == name }
                },
                sortsOthers
                    ? Self.sorted(entries.filter { !names.contains($0.parameter.name) }) { ($0.name, $0.value) }
                    : entries.filter { !names.contains($0.parameter.name) },
                isFirst: isFirst
            )
        }
    }

    private static func picked(_ entries: [Entry], _ places: [Int]) -> [Entry] {
        places.count == entries.count ? places.map { entries[$0] } : entries
    }

    private static func joined(_ entries: [Entry], _ others: [Entry], isFirst: Bool) -> [Entry] {
        isFirst ? entries + others : others + entries
    }

    private static func sorted(_ entries: [Entry], by key: (Entry) -> [[UInt8]]) -> [Entry] {
        entries.enumerated().map { (key: key($0.element), offset: $0.offset, entry: $0.element) }
            .sorted { one, other in
                for (key, otherKey) in zip(one.key, other.key) where key != otherKey {
                    return key.lexicographicallyPrecedes(otherKey)
                }
                return one.offset < other.offset
            }
            .map(\.entry)
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
