import Bytes

/// The parameters that signers make of JSON.
struct FlattenedJSON {
    enum Arrays: String, CaseIterable {
        case repeated = "arrays as several parameters"
        case brackets = "arrays as name[]"
        case indices = "arrays as name[0]"
        case dots = "arrays as name.0"
        case joined = "arrays joined by commas"
        case json = "arrays as JSON"
        case python = "arrays as Python shows them"
        case absent = "arrays left out"
    }

    enum Objects: String, CaseIterable {
        case brackets = "nested fields in brackets"
        case dots = "nested fields with dots"
        case json = "nested objects as JSON"
        case spacedJSON = "nested objects as JSON with blanks"
        case python = "nested objects as Python shows them"
        case words = "nested objects as [object Object]"
        case absent = "nested objects left out"
    }

    enum Nulls: String, CaseIterable {
        case word = "null as it is"
        case empty = "null as an empty text"
        case none = "null as None"
        case absent = "null left out"
    }

    enum Booleans: String, CaseIterable {
        case words = "booleans as they are"
        case python = "booleans as True and False"
        case php = "booleans as 1 and nothing"
        case numbers = "booleans as 1 and 0"
    }

    /// The way in which values and names are written.
    struct Style {
        var arrays = Arrays.repeated
        var objects = Objects.brackets
        var nulls = Nulls.word
        var booleans = Booleans.words

        var words: String { "\(objects.rawValue), \(arrays.rawValue), \(nulls.rawValue), \(booleans.rawValue)" }

        /// All styles, the likelier ones first.
        static let all = Nulls.allCases.flatMap { nulls in
            Booleans.allCases.flatMap { booleans in
                Objects.allCases.flatMap { objects in
                    Arrays.allCases.map { Style(arrays: $0, objects: objects, nulls: nulls, booleans: booleans) }
                }
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
            switch style.arrays {
            case .absent: return []
            case .json: return [(name, value.text(.init()))]
            case .python: return [(name, pythonic(value))]
            case .joined:
                return [(name, elements.map { scalar($0, style) ?? "[object Object]" }.joined(separator: ","))]
            case .brackets: return elements.flatMap { pairs($0, named: name + "[]", style) }
            case .indices: return elements.enumerated().flatMap { pairs($1, named: "\(name)[\($0)]", style) }
            case .dots: return elements.enumerated().flatMap { pairs($1, named: "\(name).\($0)", style) }
            case .repeated: return elements.flatMap { pairs($0, named: name, style) }
            }
        case .object(let members):
            switch style.objects {
            case .absent: return []
            case .json: return [(name, value.text(.init()))]
            case .spacedJSON: return [(name, value.text(.init(comma: ", ", colon: ": ")))]
            case .python: return [(name, pythonic(value))]
            case .words: return [(name, "[object Object]")]
            case .dots: return members.flatMap { pairs($0.value, named: "\(name).\($0.name)", style) }
            case .brackets: return members.flatMap { pairs($0.value, named: "\(name)[\($0.name)]", style) }
            }
        }
    }

    /// Returns the text of a scalar; nil for what is left out.
    private static func scalar(_ value: JSONValue, _ style: Style) -> String? {
        switch value {
        case .string(let text), .number(let text): text
        case .boolean(let value):
            switch style.booleans {
            case .words: value ? "true" : "false"
            case .python: value ? "True" : "False"
            case .php: value ? "1" : ""
            case .numbers: value ? "1" : "0"
            }
        case .null:
            switch style.nulls {
            case .word: "null"
            case .empty: ""
            case .none: "None"
            case .absent: nil
            }
        case .array, .object: nil
        }
    }

    /// The value as Python's repr() shows it.
    static func pythonic(_ value: JSONValue) -> String {
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
