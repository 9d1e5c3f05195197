import Bytes
package import Settings

/// The settings of a configuration file, each with a mark instead of its value: what differs in a value, or in the file
/// that it names, has another mark.
///
/// Marks are hashes that are seeded anew for each process, so that they tell nobody a value.
package struct SettingMarks: Sendable {
    private enum Mark {
        case value(Int)
        case section([String: Mark])
    }

    private var root: Mark

    /// - Parameter context: The context of the whole file: it knows the contents of the files that were read.
    init(_ node: YAMLNode, context: ReadingContext) {
        root = Self.mark(node, context)
    }

    /// Returns the settings that are others than they were. Of a list it is not told what differs.
    package func changes(since earlier: SettingMarks) -> SettingChanges {
        var changes = SettingChanges()
        Self.compare(earlier.root, root, "", &changes)
        return changes
    }

    private static func mark(_ node: YAMLNode, _ context: ReadingContext) -> Mark {
        guard case .mapping(let entries) = node.content, !isReference(entries) else {
            var hasher = Hasher()
            hash(node, context, into: &hasher)
            return .value(hasher.finalize())
        }
        return .section(
            Dictionary(
                entries.map { ($0.key.scalar?.text ?? "", mark($0.value, context)) },
                uniquingKeysWith: { _, last in last }
            )
        )
    }

    /// `{env: NAME}` or `{file: PATH}`: one value for whoever asks what has changed.
    private static func isReference(_ entries: [(key: YAMLNode, value: YAMLNode)]) -> Bool {
        entries.count == 1 && ["env", "file"].contains(entries[0].key.scalar?.text) && entries[0].value.scalar != nil
    }

    private static func hash(_ node: YAMLNode, _ context: ReadingContext, into hasher: inout Hasher) {
        switch node.content {
        case .scalar(let scalar):
            hasher.combine(0)
            // As bytes: strings that look alike are the same to Swift.
            hasher.combine(Array(scalar.text.utf8))
            hasher.combine(context.contentMark(of: scalar.text))
        case .sequence(let items):
            hasher.combine(1)
            hasher.combine(items.count)
            for item in items { hash(item, context, into: &hasher) }
        case .mapping(let entries):
            hasher.combine(2)
            hasher.combine(entries.count)
            for entry in entries {
                hash(entry.key, context, into: &hasher)
                hash(entry.value, context, into: &hasher)
            }
        }
    }

    private static func compare(_ earlier: Mark?, _ now: Mark?, _ name: String, _ changes: inout SettingChanges) {
        switch (earlier, now) {
        case (nil, nil): break
        case (nil, _): changes.added.append(name)
        case (_, nil): changes.removed.append(name)
        case (.section(let earlier), .section(let now)):
            for key in Set(earlier.keys).union(now.keys).sorted() {
                let shown = PrintableText(key, limit: 64, escapesQuotes: false).description
                compare(earlier[key], now[key], name.isEmpty ? shown : "\(name).\(shown)", &changes)
            }
        case (.value(let earlier), .value(let now)) where earlier == now: break
        default: changes.changed.append(name)
        }
    }
}
