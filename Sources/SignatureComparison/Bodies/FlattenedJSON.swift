/// The parameters that signers make of JSON.
struct FlattenedJSON {
    /// How values and names are written.
    enum Style: CaseIterable {
        case plain
        case python
        case php
        case strings
        case topLevel
        case nestedJSON
        case spacedJSON
        case dots
        case brackets
        case indices
        case objects
        case withoutNull
        case joined
        case stringsWithoutNull

        var words: String {
            switch self {
            case .plain: "true and null as they are, nested fields in brackets"
            case .python: "values as Python's str() has them"
            case .php: "values as PHP has them, true as 1"
            case .strings: "texts alone"
            case .topLevel: "those that are not nested"
            case .nestedJSON: "nested ones as JSON"
            case .spacedJSON: "nested ones as JSON with blanks"
            case .dots: "nested ones with dots"
            case .brackets: "arrays as name[]"
            case .indices: "arrays as name[0]"
            case .objects: "nested ones as [object Object]"
            case .withoutNull: "null left out"
            case .joined: "arrays joined by commas"
            case .stringsWithoutNull: "null as an empty text"
            }
        }
    }

    let pairs: [(name: String, value: String)]

    init(_ json: JSONValue, _ style: Style) {
        switch json {
        case .object(let members): pairs = members.flatMap { Self.pairs($0.value, named: $0.name, style) }
        case .array(let elements):
            pairs = elements.enumerated().flatMap { Self.pairs($1, named: String($0), style) }
        case .null, .boolean, .number, .string: pairs = [(Self.scalar(json, style) ?? "", "")]
        }
    }

    private static func pairs(_ value: JSONValue, named name: String, _ style: Style) -> [(name: String, value: String)]
    {
        switch value {
        case .null, .boolean, .number, .string: return scalar(value, style).map { [(name, $0)] } ?? []
        case .array(let elements):
            switch style {
            case .strings, .topLevel: return []
            case .nestedJSON: return [(name, value.text(.init()))]
            case .spacedJSON: return [(name, value.text(.init(comma: ", ", colon: ": ")))]
            case .python: return [(name, "[" + elements.map(pythonic).joined(separator: ", ") + "]")]
            case .joined, .objects:
                return [(name, elements.map { scalar($0, style) ?? "[object Object]" }.joined(separator: ","))]
            case .brackets: return elements.flatMap { pairs($0, named: name + "[]", style) }
            case .indices, .php: return elements.enumerated().flatMap { pairs($1, named: "\(name)[\($0)]", style) }
            case .dots: return elements.enumerated().flatMap { pairs($1, named: "\(name).\($0)", style) }
            case .plain, .withoutNull, .stringsWithoutNull: return elements.flatMap { pairs($0, named: name, style) }
            }
        case .object(let members):
            switch style {
            case .strings, .topLevel: return []
            case .nestedJSON: return [(name, value.text(.init()))]
            case .spacedJSON: return [(name, value.text(.init(comma: ", ", colon: ": ")))]
            case .python: return [(name, pythonic(value))]
            case .objects: return [(name, "[object Object]")]
            case .dots: return members.flatMap { pairs($0.value, named: "\(name).\($0.name)", style) }
            case .plain, .php, .brackets, .indices, .withoutNull, .joined, .stringsWithoutNull:
                return members.flatMap { pairs($0.value, named: "\(name)[\($0.name)]", style) }
            }
        }
    }

    /// Nil for what is left out.
    private static func scalar(_ value: JSONValue, _ style: Style) -> String? {
        switch (value, style) {
        case (.string(let text), _): text
        case (_, .strings): nil
        case (.number(let text), _): text
        case (.boolean(let value), .python): value ? "True" : "False"
        case (.boolean(let value), .php): value ? "1" : ""
        case (.boolean(let value), _): value ? "true" : "false"
        case (.null, .python): "None"
        case (.null, .php), (.null, .stringsWithoutNull): ""
        case (.null, .withoutNull): nil
        case (.null, _): "null"
        case (.array, _), (.object, _): nil
        }
    }

    /// The value as Python's repr() shows it.
    private static func pythonic(_ value: JSONValue) -> String {
        switch value {
        case .null: "None"
        case .boolean(let value): value ? "True" : "False"
        case .number(let text): text
        case .string(let text): "'\(text)'"
        case .array(let elements): "[" + elements.map(pythonic).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { "'\($0.name)': \(pythonic($0.value))" }.joined(separator: ", ") + "}"
        }
    }
}
