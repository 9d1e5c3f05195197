import FoundationEssentials

/// The parts of a JSON text (RFC 8259) that providers' errors need: the members with names that they use, the first few
/// elements of an array, not deeper than they nest.
indirect enum JSONValue: Equatable {
    case text(String)
    case number(Int)
    case array([JSONValue])
    /// The members by their names in lower case: providers are not of one mind about capitals.
    case object([String: JSONValue])
    case other

    private static let elementLimit = 8
    private static let deepest = 6
    private static let names: Set<String> = [
        "code", "data", "description", "detail", "details", "error", "error_description", "error_subcode",
        "errormessage", "errors", "fieldname", "message", "messages", "meta", "msg", "oauth_problem",
        "oauth_problem_advice", "o:errorcode", "o:errordetails", "parameters", "reason", "reasoncode", "source", "stat",
        "status", "title", "type",
    ]

    /// Nil when it is no JSON text, or no object or array.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "["),
            let value = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))
        else { return nil }
        self = value
    }

    subscript(_ name: String) -> JSONValue? {
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
    var elements: [JSONValue] {
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

    private var containers: [JSONValue] {
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

extension JSONValue: Decodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        if decoder.codingPath.count < Self.deepest {
            if let members = try? decoder.container(keyedBy: Name.self) {
                var values: [String: JSONValue] = [:]
                for name in members.allKeys {
                    let lowered = name.stringValue.lowercased()
                    guard Self.names.contains(lowered), values[lowered] == nil else { continue }
                    values[lowered] = try members.decode(JSONValue.self, forKey: name)
                }
                self = .object(values)
                return
            }
            if var elements = try? decoder.unkeyedContainer() {
                var values: [JSONValue] = []
                while !elements.isAtEnd, values.count < Self.elementLimit {
                    values.append(try elements.decode(JSONValue.self))
                }
                self = .array(values)
                return
            }
        }
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let number = try? value.decode(Int.self) {
            self = .number(number)
        } else {
            self = .other
        }
    }
}
