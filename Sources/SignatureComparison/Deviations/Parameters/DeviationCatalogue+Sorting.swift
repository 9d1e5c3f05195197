import Bytes
import OAuthSigning

// Further orders (RFC 5849, section 3.4.1.3.2).
extension DeviationCatalogue {
    var sortDeviations: [Deviation] {
        let orders: [(String, @Sendable (ParameterOrder.Entry) -> [[UInt8]])] = [
            (
                "by the rules of a language (locale, collation), which ignores - and _ (punctuation)",
                { entry in
                    [Collation.letters(entry.parameter.name, isPunctuationIgnored: true), entry.name, entry.value]
                }
            ),
            (
                "by the rules of a language (locale, collation): letters with accents beside those without",
                { entry in
                    [Collation.letters(entry.parameter.name, isPunctuationIgnored: false), entry.name, entry.value]
                }
            ),
            (
                "by the rules of a language (localeCompare, a collation): punctuation, digits, then letters whatever their case",
                { entry in
                    [
                        Collation.weights(entry.parameter.name), Collation.cases(entry.parameter.name),
                        Collation.weights(entry.parameter.value),
                    ]
                }
            ),
            (
                "by the rules of a language (collation), with upper case behind lower case",
                { entry in
                    [entry.name.map(\.lowercasedASCII), entry.name.map { 0x20 ^ $0 }, entry.value]
                }
            ),
            (
                "by the rules of a language (collation) that ignore all punctuation",
                { entry in
                    [
                        Collation.letters(entry.parameter.name, isPunctuationIgnored: true),
                        Collation.letters(entry.parameter.value, isPunctuationIgnored: true), entry.name,
                    ]
                }
            ),
            (
                "names with numbers by the number (natural order, 2 before 10)",
                { [Collation.natural($0.parameter.name), $0.name, $0.value] }
            ),
            (
                "names and values with numbers by the number (natural order, 2 before 10)",
                { [Collation.natural($0.parameter.name), Collation.natural($0.parameter.value)] }
            ),
            (
                "values that are numbers by the number (2 before 10)",
                { [$0.name, Collation.natural($0.parameter.value)] }
            ),
            ("by the length of names", { [[UInt8(clamping: $0.name.count)], $0.name, $0.value] }),
            (
                "by the length of name and value",
                { [[UInt8(clamping: $0.pair.count / 256), UInt8(truncatingIfNeeded: $0.pair.count)], $0.pair] }
            ),
            (
                "in the reverse order, the last name first (descending)",
                { [Collation.inverted($0.name), Collation.inverted($0.value)] }
            ),
            ("values of one name in the reverse order (descending)", { [$0.name, Collation.inverted($0.value)] }),
            ("by value, and then by name", { [$0.value, $0.name] }), ("by value alone", { [$0.value] }),
            (
                "in upper case, so that _ stands behind all letters (without regard to case)",
                { [$0.name.map(\.uppercasedASCII), $0.value] }
            ),
            (
                "without regard to case, names and values",
                { [$0.name.map(\.lowercasedASCII), $0.value.map(\.lowercasedASCII)] }
            ),
            ("name=value as one text without regard to case", { [$0.pair.map(\.lowercasedASCII)] }),
            (
                "by UTF-16 units before it encoded the parameters, as Java, .NET and JavaScript compare texts",
                { entry in
                    [UTF16Text.bigEndian(entry.parameter.name), UTF16Text.bigEndian(entry.parameter.value)]
                }
            ),
            ("name=value as one text before it encoded them", { [$0.parameter.name + "=".bytes + $0.parameter.value] }),
            ("names before it encoded them, and values of one name not at all", { [$0.parameter.name] }),
            (
                "name=value as one text, encoded once more (as the base string has it)",
                { entry in [Escaping().escape(entry.pair)] }
            ),
            ("by name as encoded with lower-case digits", { [$0.name.map(\.lowercasedASCII), $0.name, $0.value] }),
            ("by the first letter of names alone", { [Array($0.name.prefix(1))] }),
        ]
        let keyed = orders.map { words, key in
            Deviation(Self.cause(of: words), "The other side sorted the parameters \(words).") {
                $0.order = .keyed(key)
            }
        }
        let fixed = [
            Deviation(
                .notSorted,
                "The other side signed the parameters in the reverse of the order in which they stand (not sorted)."
            ) { $0.order = .reversed },
            Deviation(
                .sortedInGroups,
                "The other side sorted the query's and the form's parameters each by themselves, and put the others between them."
            ) {
                $0.order = .groups([.query, .protocol, .form])
            },
        ]
        let unsortedGroups: [(sorted: [ParameterOrigin], words: String)] = [
            ([.protocol], "the protocol's parameters"), ([.query, .form], "the request's parameters"),
        ]
        let half = unsortedGroups.flatMap { sorted, words in
            [true, false].map { isFirst in
                Deviation(
                    .sortedInGroups,
                    "The other side sorted \(words) alone, and put the others \(isFirst ? "behind" : "before") them in the order in which they stand."
                ) {
                    $0.order = .partly(sorted: sorted, isFirst: isFirst)
                }
            }
        }
        return (keyed + fixed + half).of(.order, isRare: true)
    }

    private static func cause(of words: String) -> ComparisonCause {
        words.contains("language") ? .sortedByLocale : words.contains("number") ? .sortedByNumber : .sortedOtherwise
    }

    /// The right order but for one parameter, which was added before or behind the others.
    var movedDeviations: [Deviation] {
        let sorted = reference.orderedParameters
        guard (2...24).contains(sorted.count) else { return [] }
        return sorted.indices.flatMap { from in
            sorted.indices.filter { $0 != from }.map { to in
                var places = Array(sorted.indices)
                places.insert(places.remove(at: from), at: to)
                let order = places
                return Deviation(
                    .notSorted,
                    "The other side sorted the parameters but for \(sorted[from].nameText), which stands in another place of the order (\(to + 1))."
                ) { $0.order = .places(order) }
                .of(.order, isRare: true)
            }
        }
    }

    /// All orders of the protocol's parameters, of which a template has one.
    var templateOrderDeviations: [Deviation] {
        let own = reference.parameters.filter { $0.origin == .protocol }
        // Of few parameters all orders are tried; and 5040 of these are not worth their time.
        guard own.count > 1, own.count <= 6, reference.parameters.count > OrderSearch.most else { return [] }
        let others = reference.parameters.filter { $0.origin != .protocol }.map { PercentEncoding.encode($0.name) }
        let isSorted = zip(others, others.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) }
        return Self.permutations(Array(own.indices)).flatMap { order in
            let names = order.map { own[$0].name }
            let words = order.map { own[$0].nameText }.joined(separator: ", ")
            return [true, false].flatMap { isFirst in
                (isSorted ? [true] : [true, false]).map { sortsOthers in
                    Deviation(
                        .notSorted,
                        "The other side did not sort the parameters: the protocol's stand in the order of a template (\(words)), \(isFirst ? "before" : "behind") the others."
                    ) { $0.order = .named(names, isFirst: isFirst, sortsOthers: sortsOthers) }
                    .of(.order, isRare: true)
                }
            }
        }
    }

    static func permutations(_ items: [Int]) -> [[Int]] {
        if items.count < 2 { return [items] }
        return items.indices.flatMap { index in
            permutations(Array(items[..<index] + items[(index + 1)...])).map { [items[index]] + $0 }
        }
    }
}
