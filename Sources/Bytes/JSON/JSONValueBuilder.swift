/// Puts the events of a document together to a value.
struct JSONValueBuilder {
    /// An array or object that is open.
    private struct Level {
        let isObject: Bool
        var name = ""
        var members: [JSONValue.Member] = []
        var elements: [JSONValue] = []

        var value: JSONValue { isObject ? .object(members) : .array(elements) }

        mutating func add(_ value: JSONValue) {
            if isObject { members.append(.init(name: name, value: value)) } else { elements.append(value) }
        }
    }

    private var levels: [Level] = []
    /// The value of the document; nil until the event that ends it.
    private(set) var value: JSONValue?

    mutating func add(_ event: JSONReader.Event) {
        switch event {
        case .objectStart: levels.append(Level(isObject: true))
        case .arrayStart: levels.append(Level(isObject: false))
        case .objectEnd, .arrayEnd: close()
        case .name(let name): levels[levels.count - 1].name = name.text
        case .string(let string): put(.string(string.text))
        case .number(let digits): put(.number(digits))
        case .boolean(let value): put(.boolean(value))
        case .null: put(.null)
        }
    }

    /// Closes what is open, as if the document ended here.
    mutating func closeAll() {
        while !levels.isEmpty { close() }
    }

    private mutating func close() {
        guard let level = levels.popLast() else { return }
        put(level.value)
    }

    private mutating func put(_ value: JSONValue) {
        guard !levels.isEmpty else {
            self.value = value
            return
        }
        levels[levels.count - 1].add(value)
    }
}
