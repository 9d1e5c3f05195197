/// A node of a YAML file, and where it starts.
struct YAMLNode {
    enum Content {
        /// Text as it is written: what a plain scalar means depends on its key.
        case scalar(YAMLScalar)
        case sequence([YAMLNode])
        /// The keys and values in the order of the file. A key that is written again is here as often as it is written.
        case mapping([(key: YAMLNode, value: YAMLNode)])
    }

    var content: Content
    var position: SourcePosition

    var scalar: YAMLScalar? {
        if case .scalar(let scalar) = content { scalar } else { nil }
    }

    var isMapping: Bool {
        if case .mapping = content { true } else { false }
    }

    /// The value that a mapping has for a key; `nil` also when the node is no mapping. Of several it is the last.
    subscript(key: String) -> YAMLNode? {
        guard case .mapping(let entries) = content else { return nil }
        return entries.last { $0.key.scalar?.text == key }?.value
    }

    /// A key that its mapping has again, and where it is first; `nil` when there is none in the node and all below.
    var repeatedKey: SourcePosition? {
        switch content {
        case .scalar:
            return nil
        case .sequence(let items):
            return items.lazy.compactMap(\.repeatedKey).first
        case .mapping(let entries):
            var first: [String: SourcePosition] = [:]
            for entry in entries {
                if let found = entry.key.repeatedKey ?? entry.value.repeatedKey { return found }
                guard let name = entry.key.scalar?.text else { continue }
                if let position = first.updateValue(entry.key.position, forKey: name) { return position }
            }
            return nil
        }
    }
}

/// A single value of a YAML file.
struct YAMLScalar {
    var text: String
    /// Indicates whether it is neither in quotes nor a block (`|`, `>`).
    var isPlain: Bool
    /// Indicates whether it has a tag that says it is something else than text.
    var hasForeignTag: Bool
    /// The place behind it.
    var end: SourcePosition
}
