import OAuthSigning

// How languages write arrays and nested objects as parameters.
extension DeviationCatalogue {
    /// Several parameters of one name, with or without `[]`.
    var listDeviations: [Deviation] {
        let forms: [(String, @Sendable ([String]) -> String)] = [
            ("as a JSON array, [\"a\",\"b\"]", { "[" + $0.map { "\"\($0)\"" }.joined(separator: ",") + "]" }),
            (
                "as a JSON array with blanks, [\"a\", \"b\"]",
                { "[" + $0.map { "\"\($0)\"" }.joined(separator: ", ") + "]" }
            ),
            (
                "as Python's str() shows a list, ['a', 'b']",
                { "[" + $0.map { "'\($0)'" }.joined(separator: ", ") + "]" }
            ),
            ("as Python 2 shows a list, [u'a', u'b']", { "[" + $0.map { "u'\($0)'" }.joined(separator: ", ") + "]" }),
            ("as Java shows a list, [a, b]", { "[" + $0.joined(separator: ", ") + "]" }),
            ("as Go shows a list, [a b]", { "[" + $0.joined(separator: " ") + "]" }),
            ("as a JSON array of numbers, [1,2]", { "[" + $0.joined(separator: ",") + "]" }),
            ("as Python shows a tuple, ('a', 'b')", { "(" + $0.map { "'\($0)'" }.joined(separator: ", ") + ")" }),
            ("as Objective-C shows an array", { "(\n    " + $0.joined(separator: ",\n    ") + "\n)" }),
            ("as Array, PHP's word for any array", { _ in "Array" }),
            ("as [object Object], JavaScript's text for an array of objects", { _ in "[object Object]" }),
            ("as System.String[], .NET's text for an array", { _ in "System.String[]" }),
            ("as .NET's text for a list", { _ in "System.Collections.Generic.List`1[System.String]" }),
            ("as an array joined by semicolons", { $0.joined(separator: ";") }),
            ("as an array joined by blanks", { $0.joined(separator: " ") }),
            ("as an array joined by commas and blanks", { $0.joined(separator: ", ") }),
            ("as an array joined by |", { $0.joined(separator: "|") }),
            ("as an array joined by +", { $0.joined(separator: "+") }),
            ("as an array joined by line ends", { $0.joined(separator: "\n") }),
            ("as an array joined by commas", { $0.joined(separator: ",") }),
            ("as an array joined by nothing", { $0.joined() }),
            ("as the number of its elements, an array's length", { String($0.count) }),
            ("as an array in braces, {a,b}", { "{" + $0.joined(separator: ",") + "}" }),
            ("as Perl's text for an array", { _ in "ARRAY" }),
            ("as the last element of an array alone", { $0.last ?? "" }),
            ("as the first element of an array alone", { $0.first ?? "" }),
            ("as an empty text, an array that was lost", { _ in "" }),
        ]
        let joined = forms.flatMap { words, form in
            [false, true].map { keepsBrackets in
                Deviation(
                    .arrayAsText,
                    "The other side signed several parameters of one name (an array, a list) \(words)\(keepsBrackets ? "" : ", without [] in the name")."
                ) { $0.parameters = Self.joined($0.parameters, keepsBrackets: keepsBrackets, form) }
                .of(.names, isRare: true)
            }
        }
        return joined + suffixedDeviations + splitDeviations
    }

    private static func joined(
        _ parameters: [RecipeParameter],
        keepsBrackets: Bool,
        _ form: ([String]) -> String
    ) -> [RecipeParameter] {
        var order: [String] = []
        var lists: [String: [RecipeParameter]] = [:]
        for parameter in parameters {
            let name = parameter.nameText
            if lists[name] == nil { order.append(name) }
            lists[name, default: []].append(parameter)
        }
        return order.flatMap { name -> [RecipeParameter] in
            guard let list = lists[name], let first = list.first, first.origin != .protocol,
                list.count > 1 || name.hasSuffix("[]")
            else { return lists[name] ?? [] }
            var one = first
            one.value = form(list.map(\.valueText)).bytes
            if !keepsBrackets, name.hasSuffix("[]") { one.name = name.dropLast(2).bytes }
            return [one]
        }
    }

    /// Names of arrays that get an index or brackets.
    private var suffixedDeviations: [Deviation] {
        let suffixes: [(String, @Sendable (Int) -> String)] = [
            ("name[]", { _ in "[]" }), ("name[0], name[1], …, with an index", { "[\($0)]" }),
            ("name[1], name[2], …, with an index", { "[\($0 + 1)]" }),
            ("name.0, name.1, …, with an index", { ".\($0)" }), ("name.1, name.2, …, with an index", { ".\($0 + 1)" }),
            ("name0, name1, …, with an index", { "\($0)" }), ("name1, name2, …, with an index", { "\($0 + 1)" }),
            ("name_0, name_1, …, with an index", { "_\($0)" }), ("name%5B%5D, encoded before", { _ in "%5B%5D" }),
            ("name[ ], with a blank in brackets", { _ in "[ ]" }), ("name[][], with brackets twice", { _ in "[][]" }),
        ]
        return suffixes.flatMap { words, suffix in
            [true, false].map { onlyRepeated in
                Deviation(
                    .arrayNames,
                    "The other side signed the elements of an array (several parameters of one name) as \(words)."
                ) { recipe in
                    var counts: [String: Int] = [:]
                    let all = recipe.parameters.map { Self.bareName($0.nameText) }
                    let occurrences = Dictionary(all.map { ($0, 1) }, uniquingKeysWith: +)
                    for index in recipe.parameters.indices where recipe.parameters[index].origin != .protocol {
                        let name = all[index]
                        let isArray =
                            occurrences[name, default: 0] > 1 || recipe.parameters[index].nameText.hasSuffix("[]")
                        guard isArray || !onlyRepeated else { continue }
                        recipe.parameters[index].name = (name + suffix(counts[name, default: 0])).bytes
                        counts[name, default: 0] += 1
                    }
                }
                .of(.names, isRare: true)
            }
        }
    }

    private static func bareName(_ name: String) -> String { name.hasSuffix("[]") ? String(name.dropLast(2)) : name }

    /// Values that were taken for lists.
    private var splitDeviations: [Deviation] {
        [",", ";", "|", " "].flatMap { separator in
            ["", "[]"].map { suffix in
                Deviation(
                    .arrayNames,
                    "The other side took a value with \(separator == " " ? "blanks" : separator) for a list and signed its elements one by one, as name\(suffix)."
                ) { recipe in
                    recipe.parameters = recipe.parameters.flatMap { parameter -> [RecipeParameter] in
                        let parts = parameter.valueText.split(separator: separator)
                        if parameter.origin == .protocol || parts.count < 2 { return [parameter] }
                        return parts.map { part in
                            var one = parameter
                            (one.name, one.value) = (parameter.name + suffix.bytes, String(part).bytes)
                            return one
                        }
                    }
                }
                .of(.names, isRare: true)
            }
        }
    }
}

extension Substring {
    fileprivate var bytes: [UInt8] { Array(utf8) }
}
