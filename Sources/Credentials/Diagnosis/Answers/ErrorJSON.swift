import Bytes

/// The parts of a JSON document that providers' errors need: the members with names that they use, the first few
/// elements of an array, not deeper than they nest.
indirect enum ErrorJSON: Equatable {
    case text(String)
    case number(Int)
    case array([ErrorJSON])
    /// The members by their names in lower case: providers are not of one mind about capitals.
    case object([String: ErrorJSON])
    case other

    private static let elementLimit = 8
    private static let deepest = 6
    private static let names: Set<String> = [
        "code", "data", "description", "detail", "details", "error", "error_description", "error_subcode",
        "errormessage", "errors", "fieldname", "message", "messages", "meta", "msg", "oauth_problem",
        "oauth_problem_advice", "o:errorcode", "o:errordetails", "parameters", "reason", "reasoncode", "source", "stat",
        "status", "title", "type",
    ]

    /// - Parameter depth: The number of arrays and objects that it is in.
    init(_ value: JSONValue, depth: Int = 0) {
        switch value {
        case .string(let text):
            self = .text(text)
        case .number(let digits):
            self = Self.integer(digits).map { ErrorJSON.number($0) } ?? .other
        case .array(let elements) where depth < Self.deepest:
            self = .array(elements.prefix(Self.elementLimit).map { ErrorJSON($0, depth: depth + 1) })
        case .object(let members) where depth < Self.deepest:
            var values: [String: ErrorJSON] = [:]
            for member in members {
                let name = member.name.lowercased()
                guard Self.names.contains(name), values[name] == nil else { continue }
                values[name] = ErrorJSON(member.value, depth: depth + 1)
            }
            self = .object(values)
        case .array, .object, .boolean, .null:
            self = .other
        }
    }

    /// Returns the value of a number that is written in any way, if it is an integer.
    private static func integer(_ digits: String) -> Int? {
        Int(digits) ?? Double(digits).flatMap { Int(exactly: $0) }
    }

    subscript(_ name: String) -> ErrorJSON? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The number, also of a text of digits.
    var number: Int? {
        switch self {
        case .number(let number): number
        case .text(let text): Int(text)
        default: nil
        }
    }

    /// The elements; of another value, itself, since some providers leave out the array around a single one.
    var elements: [ErrorJSON] {
        if case .array(let elements) = self { elements } else { [self] }
    }

    /// The texts that are meant for people, the outermost first.
    var messages: [String] {
        var texts: [String] = []
        var level = [self]
        while !level.isEmpty {
            for value in level {
                let names = [
                    "message", "msg", "error_description", "detail", "error", "errormessage", "description", "reason",
                    "title",
                ]
                texts += names.compactMap { value[$0]?.text }.filter { !$0.isEmpty }
                if case .array(let elements) = value { texts += elements.compactMap(\.text) }
            }
            level = level.flatMap(\.containers)
        }
        return texts
    }

    private var containers: [ErrorJSON] {
        switch self {
        case .array(let elements):
            elements.filter { $0.isContainer }
        case .object(let members):
            ["errors", "error", "messages", "o:errordetails", "meta"].compactMap { members[$0] }.filter {
                $0.isContainer
            }
        case .text, .number, .other:
            []
        }
    }

    private var isContainer: Bool {
        switch self {
        case .array, .object: true
        case .text, .number, .other: false
        }
    }
}
