import OAuthSigning

// How languages write nested objects as parameters.
extension DeviationCatalogue {
    /// The name of an object before its brackets or dots, and of one of its fields.
    private static func nested(_ name: String) -> (object: String, field: String)? {
        if let bracket = name.firstIndex(of: "["), bracket > name.startIndex, name.hasSuffix("]") {
            return (String(name[..<bracket]), String(name[name.index(after: bracket)...].dropLast()))
        }
        guard let dot = name.firstIndex(of: "."), dot > name.startIndex else { return nil }
        return (String(name[..<dot]), String(name[name.index(after: dot)...]))
    }

    var nestedDeviations: [Deviation] {
        let forms: [(String, @Sendable ([(field: String, value: String)]) -> String)] = [
            ("[object Object], JavaScript's text for any object", { _ in "[object Object]" }),
            ("Array, PHP's word for any array", { _ in "Array" }),
            ("JSON", { "{" + $0.map { "\"\($0.field)\":\"\($0.value)\"" }.joined(separator: ",") + "}" }),
            ("JSON with blanks", { "{" + $0.map { "\"\($0.field)\": \"\($0.value)\"" }.joined(separator: ", ") + "}" }),
            (
                "JSON with numbers",
                { "{" + $0.map { "\"\($0.field)\":\(Self.number($0.value))" }.joined(separator: ",") + "}" }
            ),
            (
                "JSON with numbers and blanks",
                { "{" + $0.map { "\"\($0.field)\": \(Self.number($0.value))" }.joined(separator: ", ") + "}" }
            ),
            ("a JSON array", { "[" + $0.map { "\"\($0.value)\"" }.joined(separator: ",") + "]" }),
            ("a JSON array with blanks", { "[" + $0.map { "\"\($0.value)\"" }.joined(separator: ", ") + "]" }),
            (
                "Python's text for a dict",
                { "{" + $0.map { "'\($0.field)': '\($0.value)'" }.joined(separator: ", ") + "}" }
            ),
            (
                "Python's text for a dict with numbers",
                { "{" + $0.map { "'\($0.field)': \(Self.pythonic($0.value))" }.joined(separator: ", ") + "}" }
            ),
            (
                "Ruby's text for a hash with numbers",
                { "{" + $0.map { "\"\($0.field)\"=>\(Self.number($0.value))" }.joined(separator: ", ") + "}" }
            ),
            ("Python's text for a list", { "[" + $0.map { "'\($0.value)'" }.joined(separator: ", ") + "]" }),
            (
                "Ruby's text for a hash",
                { "{" + $0.map { "\"\($0.field)\"=>\"\($0.value)\"" }.joined(separator: ", ") + "}" }
            ),
            (
                "Ruby 3.4's text for a hash",
                { "{" + $0.map { "\"\($0.field)\" => \"\($0.value)\"" }.joined(separator: ", ") + "}" }
            ),
            (
                "Ruby's text for a hash of symbols",
                { "{:" + $0.map { "\($0.field)=>\"\($0.value)\"" }.joined(separator: ", :") + "}" }
            ),
            ("Java's text for a map", { "{" + $0.map { "\($0.field)=\($0.value)" }.joined(separator: ", ") + "}" }),
            ("Go's text for a map", { "map[" + $0.map { "\($0.field):\($0.value)" }.joined(separator: " ") + "]" }),
            ("Java's text for a list", { "[" + $0.map(\.value).joined(separator: ", ") + "]" }),
            ("values joined by commas", { $0.map(\.value).joined(separator: ",") }),
            (
                "Swift's text for a dictionary",
                { "[" + $0.map { "\"\($0.field)\": \"\($0.value)\"" }.joined(separator: ", ") + "]" }
            ),
            (
                ".NET's text for a dictionary",
                { _ in "System.Collections.Generic.Dictionary`2[System.String,System.String]" }
            ),
            (".NET's text for an array", { _ in "System.String[]" }),
            ("Object, a class without a text", { _ in "Object" }),
            ("its first value alone", { $0.first?.value ?? "" }), ("its last value alone", { $0.last?.value ?? "" }),
            ("an empty text", { _ in "" }), ("PHP's text for any object", { _ in "Object" }),
        ]
        let objects = forms.map { words, form in
            Deviation(
                .objectAsText,
                "The other side signed a nested object (or array) in the place of its fields, as \(words)."
            ) {
                $0.parameters = Self.joined($0.parameters, form)
            }
            .of(.names, isRare: true)
        }
        let words = ["[object Object]", "Array", ""].map { word in
            Deviation(
                .objectAsText,
                "The other side signed \(word.isEmpty ? "an empty text" : word) for each of a nested object's fields."
            ) { recipe in
                for index in recipe.parameters.indices
                where recipe.parameters[index].origin != .protocol
                    && Self.nested(recipe.parameters[index].nameText) != nil
                {
                    recipe.parameters[index].value = word.bytes
                }
            }
            .of(.names, isRare: true)
        }
        let each = ["[object Object]", "Array"].map { word in
            Deviation(
                .objectAsText,
                "The other side signed \(word) for each of a nested object's fields, under the object's name."
            ) { recipe in
                for index in recipe.parameters.indices where recipe.parameters[index].origin != .protocol {
                    guard let name = Self.nested(recipe.parameters[index].nameText) else { continue }
                    (recipe.parameters[index].name, recipe.parameters[index].value) = (name.object.bytes, word.bytes)
                }
            }
            .of(.names, isRare: true)
        }
        let dropped = Deviation(
            .parameterNotSigned,
            "The other side did not sign nested fields, those with brackets or dots in their names."
        ) {
            $0.parameters.removeAll { $0.origin != .protocol && Self.nested($0.nameText) != nil }
        }
        return objects + words + each + [dropped.of(.names, isRare: true)]
    }

    private static func joined(
        _ parameters: [RecipeParameter],
        _ form: ([(field: String, value: String)]) -> String
    ) -> [RecipeParameter] {
        var fields: [String: [(field: String, value: String)]] = [:]
        for parameter in parameters where parameter.origin != .protocol {
            guard let name = nested(parameter.nameText) else { continue }
            fields[name.object, default: []].append((name.field, parameter.valueText))
        }
        return parameters.compactMap { parameter in
            guard parameter.origin != .protocol, let name = nested(parameter.nameText) else { return parameter }
            // All of them stand where the first did.
            guard let all = fields.removeValue(forKey: name.object) else { return nil }
            var object = parameter
            (object.name, object.value) = (name.object.bytes, form(all).bytes)
            return object
        }
    }

    /// The value as Python has it: numbers and booleans without quotation marks.
    private static func pythonic(_ value: String) -> String {
        switch value {
        case "true": "True"
        case "false": "False"
        case "null": "None"
        default: Double(value) == nil ? "'\(value)'" : value
        }
    }

    /// The value as JSON has it: numbers, booleans and null without quotation marks.
    private static func number(_ value: String) -> String {
        Double(value) != nil || ["true", "false", "null"].contains(value) ? value : "\"\(value)\""
    }
}
