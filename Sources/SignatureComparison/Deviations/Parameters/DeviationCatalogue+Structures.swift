import Bytes
import OAuthSigning

// Arrays and objects within arrays and objects, JSON in a value, and the fields of other bodies; each is tried alone.
extension DeviationCatalogue {
    var nestedStructureDeviations: [Deviation] {
        rebuiltDeviations + cutDeviations + valueOfJSONDeviations + listDeviationsInValues + fieldDeviations
            + typeDeviations
    }

    /// The number of bytes beyond which nothing is taken apart: it may be a stranger's.
    private static let limit = 1 << 14

    private func replacing(
        _ origins: Set<ParameterOrigin>,
        _ cause: ComparisonCause,
        _ sentence: String,
        _ pairs: [(name: String, value: String)]
    ) -> Deviation {
        let origin: ParameterOrigin = origins.contains(.query) ? .query : .form
        let added = pairs.map { RecipeParameter(name: $0.name.bytes, value: $0.value.bytes, origin: origin) }
        return Deviation(cause, sentence) { recipe in
            recipe.parameters.removeAll { origins.contains($0.origin) }
            recipe.parameters += added
        }
        .of(.selection, isRare: true)
    }

    /// The parameters of the request as the structure that their names describe, written otherwise.
    private var rebuiltDeviations: [Deviation] {
        let parameters = reference.parameters.filter { $0.origin != .protocol }
        guard parameters.contains(where: { $0.nameText.contains("[") }), parameters.count <= 64 else { return [] }
        let pairs = parameters.map { (name: $0.nameText, value: $0.valueText) }
        return [false, true].flatMap { hasNumbers -> [Deviation] in
            guard let tree = NestedParameters(pairs, hasNumbers: hasNumbers)?.json else { return [] }
            return FlattenedJSON.Style.all.prefix(56).map { style in
                replacing(
                    [.query, .form],
                    style.objects == .words ? .objectAsText : .nestedNames,
                    "The other side signed the nested fields of the request in another form (\(style.words)).",
                    FlattenedJSON(tree, style).pairs
                )
            }
        }
    }

    /// Deviations that take what stands within the first brackets or deeper for one text.
    private var cutDeviations: [Deviation] {
        let words = ["[object Object]", "Array", "", "null", "undefined", "ARRAY", "Object", "System.Object", "{}"]
        guard reference.parameters.contains(where: { $0.origin != .protocol && $0.nameText.contains("[") }) else {
            return []
        }
        return (1...3).flatMap { depth in
            words.map { word in
                Deviation(
                    .objectAsText,
                    "The other side signed \(word.isEmpty ? "an empty text" : word) in the place of nested fields or elements (\(depth) deep)."
                ) { recipe in
                    var seen: Set<String> = []
                    recipe.parameters = recipe.parameters.compactMap { parameter in
                        let parts = parameter.nameText.split(separator: "[", omittingEmptySubsequences: false)
                        if parameter.origin == .protocol || parts.count <= depth { return parameter }
                        let name = parts.prefix(depth).joined(separator: "[")
                        guard seen.insert(name).inserted else { return nil }
                        var one = parameter
                        (one.name, one.value) = (name.bytes, word.bytes)
                        return one
                    }
                }
                .of(.names, isRare: true)
            }
        }
    }

    /// JSON that is the value of a parameter.
    private var valueOfJSONDeviations: [Deviation] {
        let holders = reference.parameters.filter {
            $0.origin != .protocol && ($0.value.first == 0x7B || $0.value.first == 0x5B) && $0.value.count < Self.limit
        }
        guard holders.contains(where: { JSONValue($0.value) != nil }) else { return [] }
        let styles: [(String, JSONValue.Style)] = [
            ("without blanks (compact)", .init()), ("with blanks (spaces)", .init(comma: ", ", colon: ": ")),
            ("with sorted members", .init(sortsMembers: true)),
            ("pretty-printed with two blanks", .init(indentation: "  ")),
            ("pretty-printed with four blanks", .init(indentation: "    ")),
            ("with blanks behind colons", .init(colon: ": ")),
            ("with \\/ for /", .init(escapes: .slashes)),
            ("with \\uXXXX for letters outside of ASCII", .init(escapes: .nonASCII)),
            ("with \\u003c for < and the like", .init(escapes: .markup)),
        ]
        let written = styles.map { words, style in
            Deviation(.valueEscaped, "The other side wrote the JSON of a value again (serialized), \(words).") {
                recipe in
                Self.change(&recipe) { parameter in
                    if let json = JSONValue(parameter.value),
                        parameter.value.first.map({ $0 == 0x7B || $0 == 0x5B }) ?? false
                    {
                        parameter.value = json.text(style).bytes
                    }
                }
            }
            .of(.values, isRare: true)
        }
        let words = ["[object Object]", "Array", "", "null"].map { word in
            Deviation(
                .objectAsText,
                "The other side signed \(word.isEmpty ? "an empty text" : word) for the JSON of a value."
            ) { recipe in
                Self.change(&recipe) {
                    if JSONValue($0.value) != nil, $0.value.first == 0x7B || $0.value.first == 0x5B {
                        $0.value = word.bytes
                    }
                }
            }
            .of(.values, isRare: true)
        }
        let fields = FlattenedJSON.Style.all.prefix(56).map { style in
            Deviation(
                .nestedNames,
                "The other side signed the fields of the JSON that is a value one by one (nested; \(style.words))."
            ) { recipe in
                recipe.parameters = recipe.parameters.flatMap { parameter -> [RecipeParameter] in
                    guard parameter.origin != .protocol, parameter.value.first == 0x7B || parameter.value.first == 0x5B,
                        let json = JSONValue(parameter.value)
                    else { return [parameter] }
                    return FlattenedJSON(.object([.init(name: parameter.nameText, value: json)]), style).pairs.map {
                        RecipeParameter(name: $0.name.bytes, value: $0.value.bytes, origin: parameter.origin)
                    }
                }
            }
            .of(.names, isRare: true)
        }
        return written + words + fields
    }

    private var listDeviationsInValues: [Deviation] {
        let indexed: [(String, @Sendable (Int) -> String)] = [
            ("name[0]", { "[\($0)]" }), ("name.0", { ".\($0)" }), ("name0", { "\($0)" }),
            ("name[1]", { "[\($0 + 1)]" }),
        ]
        let split = indexed.map { words, suffix in
            Deviation(
                .arrayNames,
                "The other side took a value with commas for a list (an array) and signed its elements one by one, as \(words)."
            ) { recipe in
                recipe.parameters = recipe.parameters.flatMap { parameter -> [RecipeParameter] in
                    let parts = parameter.valueText.split(separator: ",")
                    if parameter.origin == .protocol || parts.count < 2 { return [parameter] }
                    return parts.enumerated().map { index, part in
                        RecipeParameter(
                            name: parameter.name + suffix(index).bytes,
                            value: String(part).bytes,
                            origin: parameter.origin
                        )
                    }
                }
            }
            .of(.names, isRare: true)
        }
        // Several parameters of one name in one text, in another order or as a language stores it.
        let forms: [(String, @Sendable ([String]) -> String)] = [
            ("sorted and joined by commas", { $0.sorted().joined(separator: ",") }),
            ("joined by commas in the reverse order", { $0.reversed().joined(separator: ",") }),
            (
                "as PHP's serialize() writes an array",
                { list in
                    "a:\(list.count):{" + list.enumerated().map { "i:\($0);s:\($1.utf8.count):\"\($1)\";" }.joined()
                        + "}"
                }
            ),
            (
                "as a JSON array with sorted elements",
                { "[" + $0.sorted().map { "\"\($0)\"" }.joined(separator: ",") + "]" }
            ), ("as a list in parentheses", { "(" + $0.joined(separator: ",") + ")" }),
            ("as Python shows a set", { "{" + $0.map { "'\($0)'" }.joined(separator: ", ") + "}" }),
            ("joined by a colon", { $0.joined(separator: ":") }), ("joined by _", { $0.joined(separator: "_") }),
            ("joined by /", { $0.joined(separator: "/") }), ("joined by -", { $0.joined(separator: "-") }),
            ("joined by &", { $0.joined(separator: "&") }),
        ]
        let joined = forms.map { words, form in
            Deviation(
                .arrayAsText,
                "The other side signed several parameters of one name (an array, a list) as one, \(words)."
            ) { recipe in
                var lists: [[UInt8]: [String]] = [:]
                for parameter in recipe.parameters where parameter.origin != .protocol {
                    lists[parameter.name, default: []].append(parameter.valueText)
                }
                recipe.parameters = recipe.parameters.compactMap { parameter in
                    if parameter.origin == .protocol { return parameter }
                    guard let list = lists.removeValue(forKey: parameter.name) else { return nil }
                    var one = parameter
                    if list.count > 1 { one.value = form(list).bytes }
                    return one
                }
            }
            .of(.names, isRare: true)
        }
        return split + joined
    }

    /// The fields of JSON and XML, as more libraries flatten them.
    private var fieldDeviations: [Deviation] {
        guard !request.isForm, !request.body.isEmpty, request.body.count <= Self.limit else { return [] }
        let sentence = "The other side signed the fields of the JSON body as if it were a form"
        func form(_ words: String, _ pairs: [(name: String, value: String)]) -> Deviation {
            replacing([.form], .bodySignedAsForm, "\(sentence) (\(words)); only a form is signed.", pairs)
        }
        guard let json = JSONValue(request.body) else { return xmlDeviations }
        var deviations: [Deviation] = []
        let plain = json.withPlainNumbers
        if plain != json {
            deviations += FlattenedJSON.Style.all.map {
                form("\($0.words), numbers without the zeros at their ends", FlattenedJSON(plain, $0).pairs)
            }
        }
        guard case .object(let members) = json else { return deviations }
        let scalar = FlattenedJSON(json, .init(arrays: .absent, objects: .absent)).pairs
        deviations.append(form("their names alone, with empty values", members.map { ($0.name, "") }))
        for style in [JSONValue.Style(), JSONValue.Style(comma: ", ", colon: ": ")] {
            for value in [json, plain] {
                guard case .object(let members) = value else { continue }
                deviations.append(form("each value as JSON", members.map { ($0.name, $0.value.text(style)) }))
            }
        }
        for value in [json, plain] {
            for (booleans, dropsNull) in [
                (FlattenedJSON.Booleans.words, true), (.python, true), (.php, true), (.words, false), (.python, false),
            ] {
                var style = FlattenedJSON.Style()
                (style.booleans, style.nulls) = (booleans, dropsNull ? .absent : .word)
                deviations.append(
                    form("of a nested object its names, as Python's requests does", value.withKeysForObjects(style))
                )
            }
        }
        for word in [
            "data", "body", "params", "payload", "json", "request", "item", "order", "user", "post", "attributes",
        ] {
            deviations.append(
                form(
                    "under the name \(word), \(word)[name]",
                    FlattenedJSON(.object([.init(name: word, value: json)]), .init()).pairs
                )
            )
            deviations.append(
                form(
                    "under the name \(word), \(word).name",
                    FlattenedJSON(.object([.init(name: word, value: json)]), .init(objects: .dots)).pairs
                )
            )
        }
        if members.count == 1, case .object = members[0].value {
            deviations += FlattenedJSON.Style.all.prefix(56).map {
                form("without its outermost object \(members[0].name)", FlattenedJSON(members[0].value, $0).pairs)
            }
        }
        if scalar.count > 1 { deviations += scalar.map { one in form("only \(one.name)", [one]) } }
        let bare = RecipeParameter(name: request.body, value: [], origin: .form)
        deviations.append(
            Deviation(
                .bodySignedAsForm,
                "The other side signed the JSON body as a form of one name without = and value; it is no form."
            ) {
                var one = bare
                one.hasEquals = false
                $0.parameters.append(one)
            }
            .of(.selection, isRare: true)
        )
        return deviations
    }

    /// The innermost elements of XML.
    private var xmlDeviations: [Deviation] {
        guard request.body.first == UInt8(ascii: "<") else { return [] }
        var pairs: [(name: String, value: String)] = []
        var (name, isOpen) = (Substring(), false)
        for piece in request.body.text.split(separator: "<") {
            let parts = piece.split(separator: ">", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            if parts[0].hasPrefix("/") {
                if isOpen, parts[0].dropFirst() == name, let last = pairs.indices.last {
                    pairs[last].value = Markup.unescaped(pairs[last].value)
                } else {
                    pairs.removeAll { $0.name == parts[0].dropFirst() && !isOpen && $0.value.trimmed.isEmpty }
                }
                isOpen = false
            } else {
                name = parts[0].prefix { $0 != " " && $0 != "/" }
                if isOpen, let last = pairs.indices.last { pairs.remove(at: last) }
                isOpen = true
                pairs.append((String(name), String(parts[1])))
            }
        }
        if pairs.isEmpty || pairs.count > 64 { return [] }
        return [
            replacing(
                [.form],
                .bodySignedAsForm,
                "The other side signed the elements of the XML body as if it were a form; only a form is signed.",
                pairs
            )
        ]
    }

    /// Booleans of which one is left out, or is a name alone.
    private var typeDeviations: [Deviation] {
        func booleans(_ words: String, _ change: @escaping @Sendable (inout RecipeParameter) -> Bool) -> Deviation {
            Deviation(.valueType, "The other side signed \(words); the request has another text.") { recipe in
                recipe.parameters = recipe.parameters.compactMap { parameter in
                    var changed = parameter
                    return parameter.origin == .protocol || change(&changed) ? changed : nil
                }
            }
            .of(.values, isRare: true)
        }
        func texts(_ yes: String, _ change: @escaping @Sendable (inout RecipeParameter) -> Void)
            -> @Sendable (inout RecipeParameter) -> Bool
        {
            { parameter in
                if parameter.valueText == yes { change(&parameter) }
                return !["false", "False"].contains(parameter.valueText)
            }
        }
        return [
            booleans("true as 1, and left out false (booleans, as PHP does)", texts("true") { $0.value = "1".bytes }),
            booleans("true as an empty value, and left out false (booleans)", texts("true") { $0.value = [] }),
            booleans("true as a name without = (a flag, a boolean)") { parameter in
                if parameter.valueText == "true" { (parameter.value, parameter.hasEquals) = ([], false) }
                return true
            },
            booleans(
                "true as a name without = (a flag), and left out false (booleans)",
                texts("true") { ($0.value, $0.hasEquals) = ([], false) }
            ),
            booleans("files as @ and their name, as curl has them") { parameter in
                if parameter.valueText.contains(".") { parameter.value = "@".bytes + parameter.value }
                return true
            },
        ]
    }
}
