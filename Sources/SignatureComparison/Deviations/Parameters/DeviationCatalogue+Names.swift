import Bytes
import OAuthSigning

// How the names of parameters are changed.
extension DeviationCatalogue {
    var nameDeviations: [Deviation] { spellingDeviations + bracketDeviations + flagDeviations }

    private static func names(
        _ cause: ComparisonCause,
        _ sentence: String,
        isRare: Bool = true,
        _ change: @escaping @Sendable (String) -> String
    ) -> Deviation {
        Deviation(cause, sentence) { recipe in
            Self.change(&recipe) { $0.name = $0.name.changed(change) }
        }
        .of(.names, isRare: isRare)
    }

    private var spellingDeviations: [Deviation] {
        [
            Self.names(.nameCase, "The other side turned the names of parameters into lower case.") { $0.lowercased() },
            Self.names(.nameCase, "The other side turned the names of parameters into upper case.") { $0.uppercased() },
            Self.names(.nameCase, "The other side wrote the first letter of names in lower case.") {
                $0.prefix(1).lowercased() + $0.dropFirst()
            },
            Self.names(.nameCase, "The other side wrote the first letter of names in upper case.") {
                $0.prefix(1).uppercased() + $0.dropFirst()
            },
            Self.names(.nameCase, "The other side wrote names like pageSize as page_size (its own case of names).") {
                name in
                name.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined().trimmingUnderscore
            },
            Self.names(.nameCase, "The other side wrote names like page_size as pageSize (its own case of names).") {
                name in
                let words = name.split(separator: "_")
                return words.prefix(1).joined()
                    + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
            },
            Self.names(.nameSpelling, "The other side wrote - for _ in names.") { $0.replacing("_", with: "-") },
            Self.names(.nameSpelling, "The other side wrote _ for - in names.") { $0.replacing("-", with: "_") },
            Self.names(.nameSpelling, "The other side wrote _ for the dots and blanks in names, as PHP does.") {
                String($0.map { ". ".contains($0) ? "_" : $0 })
            },
            Self.names(.nameSpelling, "The other side left the underscores out of names.") {
                $0.replacing("_", with: "")
            },
            Self.names(.nameSpelling, "The other side trimmed the blanks at the ends of names.") { $0.trimmed },
            Self.names(.nameSpelling, "The other side signed names with : before them, as Ruby shows symbols.") {
                ":" + $0
            },
            Self.names(.nameSpelling, "The other side signed names in quotation marks.") { "\"\($0)\"" },
            Self.names(.nameSpelling, "The other side signed names with a $ before them.") { "$" + $0 },
            first(
                "?",
                "The other side took the ? for a part of the first name in the query (a question mark before it)."
            ),
            first("&", "The other side took a & for a part of the first name (an ampersand before it)."),
            first("#", "The other side signed a # before the first name."),
            first("/", "The other side signed a / before the first name."),
            rest(
                "amp;",
                "The other side copied the query from HTML, where &amp; stands for &: the names begin with amp;."
            ),
            rest(" ", "The other side signed a blank before each name but the first."),
            rest("?", "The other side took a ? for a part of each name but the first."),
            rest("\n", "The other side signed a line end before each name but the first."),
        ]
    }

    private func first(_ mark: String, _ sentence: String) -> Deviation {
        Deviation(.nameSpelling, sentence) { recipe in
            guard let index = recipe.parameters.firstIndex(where: { $0.origin != .protocol }) else { return }
            recipe.parameters[index].name = mark.bytes + recipe.parameters[index].name
        }
        .of(.names, isRare: true)
    }

    private func rest(_ mark: String, _ sentence: String) -> Deviation {
        Deviation(mark == "amp;" ? .markup : .nameSpelling, sentence) { recipe in
            var seen: [ParameterOrigin] = [.protocol]
            for index in recipe.parameters.indices where recipe.parameters[index].origin != .protocol {
                let origin = recipe.parameters[index].origin
                if seen.contains(origin) { recipe.parameters[index].name = mark.bytes + recipe.parameters[index].name }
                seen.append(origin)
            }
        }
        .of(.names, isRare: true)
    }

    private var bracketDeviations: [Deviation] {
        [
            Self.names(.arrayNames, "The other side signed arrays without the brackets [] behind their names.") {
                $0.hasSuffix("[]") ? String($0.dropLast(2)) : $0
            },
            Self.names(
                .arrayNames,
                "The other side left all brackets [ ] out of names, of arrays and of nested fields."
            ) {
                $0.filter { $0 != "[" && $0 != "]" }
            },
            Self.names(.arrayNames, "The other side signed arrays with an index (name[0]) as name[].") {
                Self.indices($0) { _ in "" }
            },
            Self.names(
                .arrayNames,
                "The other side counted the indices of arrays from 1 (name[1]); those sent begin with 0."
            ) {
                Self.indices($0) { String($0 + 1) }
            },
            Self.names(
                .arrayNames,
                "The other side counted the indices of arrays from 0 (name[0]); those sent begin with 1."
            ) {
                Self.indices($0) { String($0 - 1) }
            },
            Self.names(.arrayNames, "The other side signed arrays with an index (name[0]) without index and brackets.")
            { name in
                name.replacing("[", with: "\u{0}[").split(separator: "\u{0}").filter { part in
                    !part.hasPrefix("[") || !part.dropFirst().dropLast().allSatisfy(\.isNumber)
                }
                .joined()
            },
            Self.names(.nestedNames, "The other side wrote dots for the brackets of nested fields: a.b for a[b].") {
                $0.replacing("[]", with: "").replacing("][", with: ".").replacing("[", with: ".").replacing(
                    "]",
                    with: ""
                )
            },
            Self.names(.nestedNames, "The other side wrote brackets for the dots of nested fields: a[b] for a.b.") {
                name in
                let parts = name.split(separator: ".")
                return parts.prefix(1).joined() + parts.dropFirst().map { "[\($0)]" }.joined()
            },
            Self.names(.nestedNames, "The other side wrote _ for the brackets of nested fields: a_b for a[b].") {
                $0.replacing("][", with: "_").replacing("[", with: "_").replacing("]", with: "")
            },
            Self.names(.nestedNames, "The other side wrote - for the brackets of nested fields: a-b for a[b].") {
                $0.replacing("][", with: "-").replacing("[", with: "-").replacing("]", with: "")
            },
            Self.names(.nestedNames, "The other side wrote : for the brackets of nested fields: a:b for a[b].") {
                $0.replacing("][", with: ":").replacing("[", with: ":").replacing("]", with: "")
            },
            Self.names(.nestedNames, "The other side wrote camel case for the brackets of nested fields: aB for a[b].")
            { name in
                let parts = name.split(whereSeparator: { "[].".contains($0) })
                return parts.prefix(1).joined()
                    + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
            },
            Self.names(.nestedNames, "The other side signed nested fields by their innermost names alone: b for a[b].")
            { name in
                name.split(whereSeparator: { "[].".contains($0) }).last.map(String.init) ?? name
            },
            Self.names(.nestedNames, "The other side signed nested fields by their outermost names alone: a for a[b].")
            { name in
                name.split(whereSeparator: { "[].".contains($0) }).first.map(String.init) ?? name
            },
            Self.names(.nestedNames, "The other side put quotation marks into the brackets of nested fields: a[\"b\"].")
            {
                $0.replacing("[", with: "[\"").replacing("]", with: "\"]")
            },
            Self.names(
                .nestedNames,
                "The other side put single quotation marks into the brackets of nested fields: a['b']."
            ) {
                $0.replacing("[", with: "['").replacing("]", with: "']")
            },
        ]
    }

    /// Changes each number in brackets.
    private static func indices(_ name: String, _ change: (Int) -> String) -> String {
        let parts = name.split(separator: "[", omittingEmptySubsequences: false)
        return parts.prefix(1).joined()
            + parts.dropFirst().map { part in
                guard let end = part.firstIndex(of: "]"), let number = Int(part[..<end]) else { return "[" + part }
                return "[" + change(number) + part[end...]
            }
            .joined()
    }

    /// Names without `=`.
    private var flagDeviations: [Deviation] {
        func flag(_ words: String, _ value: @escaping @Sendable ([UInt8]) -> [UInt8]) -> [Deviation] {
            [true, false].map { onlyFlags in
                Deviation(
                    .flagValue,
                    "The other side signed \(words) for a parameter \(onlyFlags ? "without a value (a flag, no =)" : "with an empty value")."
                ) { recipe in
                    Self.change(&recipe) { parameter in
                        if onlyFlags ? !parameter.written.hasEquals : parameter.value.isEmpty {
                            parameter.value = value(parameter.name)
                        }
                    }
                }
                .of(.values, isRare: true)
            }
        }
        return [
            "true", "1", "null", "undefined", "None", "on", "0", "false", "(null)", "nil", "NULL", "Null", "\"\"",
            "NaN", "True",
        ].flatMap { word in
            flag("the word \(word)") { _ in word.bytes }
        } + flag("its name once more") { $0 }
            + [
                Deviation(
                    .emptyParameterDropped,
                    "The other side left out parameters without a value and without an =."
                ) {
                    $0.parameters.removeAll { $0.origin != .protocol && !$0.written.hasEquals }
                }
                .of(.values, isRare: true),
                Deviation(
                    .emptyParameterDropped,
                    "The other side left out all parameters with an empty value, the protocol's too."
                ) {
                    $0.parameters.removeAll { $0.value.isEmpty }
                }
                .of(.values, isRare: true),
            ]
    }
}

extension String {
    fileprivate var trimmingUnderscore: String { hasPrefix("_") ? String(dropFirst()) : self }
}
