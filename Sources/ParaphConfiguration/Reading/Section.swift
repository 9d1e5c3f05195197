/// A mapping of the file. It remembers which keys were asked for: those are the known ones, and `finish` reports
/// every other.
final class Section {
    let value: Value
    private var entries: [String: (node: YAMLNode, position: SourcePosition)] = [:]
    private var keys: [(name: String, position: SourcePosition)] = []
    private var asked: [String] = []

    init(_ mapping: [(key: YAMLNode, value: YAMLNode)], of value: Value) {
        self.value = value
        for (key, node) in mapping {
            let position = key.position
            guard let name = key.scalar?.text else {
                value.context.report("a key must be a single word, not a list or a mapping", at: position)
                continue
            }
            if let earlier = entries[name] {
                value.context.report("this key is written already in line \(earlier.position.line)", at: position)
                continue
            }
            keys.append((name, position))
            entries[name] = (node, position)
        }
    }

    /// The value of a key, whatever it is; `nil` when the key is not there.
    subscript(_ key: String) -> Value? {
        asked.append(key)
        return entries[key].map { value.member(key, $0.node, keyPosition: $0.position) }
    }

    /// Returns the value of a key as the subscript does, but a key that is not there is a mistake.
    func required(_ key: String) -> Value? {
        let found = self[key]
        if found == nil { value.reportAtKey("lacks \(key)") }
        return found
    }

    /// Returns whether nothing at all is written for a key. Where something is that could not be read, that was
    /// reported.
    func lacks(_ key: String) -> Bool { entries[key] == nil }

    /// A mapping that may be left out, or left empty.
    func section(_ key: String) -> Section? {
        guard let found = self[key], !found.isNull else { return nil }
        return found.section()
    }

    /// Every key with its value, for mappings whose keys are names; all of them count as known.
    /// - Parameter isName: Whether a key has the form of such a name. Mistakes call others ``ShownName/hiddenName``,
    ///   and those that have no mapping and are no word of the file's: a secret may stand in their place.
    func members(isName: (String) -> Bool) -> [(name: String, value: Value)] {
        asked += entries.keys
        return keys.compactMap { key in
            entries[key.name].map { node, position in
                let isShown = isName(key.name) && (node.isMapping || SettingWords.isKey(key.name))
                let shownName = isShown ? key.name : ShownName.hiddenName
                return (key.name, value.member(shownName, node, keyPosition: position, isNamed: true))
            }
        }
    }

    /// Reports the keys that nothing asked for.
    func finish() {
        let known = Set(asked)
        for key in keys where !known.contains(key.name) {
            let unknown = UnknownKey(name: key.name, place: value, known: asked)
            value.context.report(unknown.message, at: key.position)
        }
    }
}
