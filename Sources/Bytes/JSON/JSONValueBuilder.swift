/// Puts the events of a document together to a value.
struct JSONValueBuilder {
    /// An array or object that is open.
    private enum Level {
        case array([JSONValue])
        /// An object, with the name of the member whose value comes next.
        case object([JSONValue.Member], name: String)

        var value: JSONValue {
            switch self {
            case .array(let elements): .array(elements)
            case .object(let members, name: _): .object(members)
            }
        }

        mutating func begin(member name: String) {
            guard case .object(let members, name: _) = self else { return }
            self = .object(members, name: name)
        }

        mutating func add(_ value: JSONValue) {
            // What is there is taken out meanwhile, so that it is not copied.
            switch self {
            case .array(var elements):
                self = .array([])
                elements.append(value)
                self = .array(elements)
            case .object(var members, name: let name):
                self = .array([])
                members.append(JSONValue.Member(name: name, value: value))
                self = .object(members, name: "")
            }
        }
    }

    private var levels: [Level] = []
    /// The value of the document; nil until the event that ends it.
    private(set) var value: JSONValue?

    mutating func add(_ event: JSONReader.Event) {
        switch event {
        case .objectStart: levels.append(.object([], name: ""))
        case .arrayStart: levels.append(.array([]))
        case .objectEnd, .arrayEnd: close()
        case .name(let name): levels[levels.count - 1].begin(member: name.text)
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
