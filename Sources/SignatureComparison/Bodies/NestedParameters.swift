import Bytes

/// The structure that the names of parameters describe with their brackets, as in `items[0][id]`.
struct NestedParameters {
    let json: JSONValue

    /// - Parameter hasNumbers: Whether values that look like numbers or booleans are such.
    /// - Returns: Nil for names that contradict each other, or are nested too deep.
    init?(_ pairs: [(name: String, value: String)], hasNumbers: Bool) {
        var root = Node()
        for (name, value) in pairs {
            guard let path = Self.path(name), path.count <= 8 else { return nil }
            let scalar: JSONValue =
                hasNumbers && (Double(value) != nil && !value.hasPrefix("+"))
                ? .number(value)
                : hasNumbers && ["true", "false"].contains(value) ? .boolean(value == "true") : .string(value)
            root.add(path[...], scalar)
        }
        json = root.json
    }

    private static func path(_ name: String) -> [String]? {
        guard let bracket = name.firstIndex(of: "[") else { return [name] }
        guard bracket > name.startIndex, name.hasSuffix("]") else { return nil }
        let inner = name[name.index(after: bracket)...].dropLast()
        return [String(name[..<bracket])]
            + inner.split(separator: "]", omittingEmptySubsequences: false).map { String($0.drop { $0 == "[" }) }
    }

    /// A value, or what is within brackets.
    private struct Node {
        var values: [JSONValue] = []
        var names: [String] = []
        var children: [String: Node] = [:]

        mutating func add(_ path: ArraySlice<String>, _ value: JSONValue) {
            guard let first = path.first else { return values.append(value) }
            // Each [] is one element more.
            let name = first.isEmpty ? String(children.count) : first
            if children[name] == nil { names.append(name) }
            children[name, default: Node()].add(path.dropFirst(), value)
        }

        var json: JSONValue {
            if children.isEmpty { return values.count == 1 ? values[0] : .array(values) }
            let isArray = names.indices.allSatisfy { names[$0] == String($0) }
            let elements = names.compactMap { name in children[name].map { (name, $0.json) } }
            return isArray
                ? .array(elements.map(\.1)) : .object(elements.map { JSONValue.Member(name: $0.0, value: $0.1) })
        }
    }
}
