/// The settings that two configurations differ in, by their names (`apis.twitter.hosts`). No value is among them.
package struct SettingChanges: Equatable, Sendable {
    /// A section that is new as a whole stands for all that is in it; so it is with those that were removed.
    package var added: [String]
    package var changed: [String]
    package var removed: [String]

    package init(added: [String] = [], changed: [String] = [], removed: [String] = []) {
        self.added = added
        self.changed = changed
        self.removed = removed
    }

    package var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
}

extension SettingChanges: CustomStringConvertible {
    /// The number of names that a line of the log has of each kind.
    private static let most = 10

    /// The names in a line of the log.
    package var description: String {
        let parts = [("added", added), ("changed", changed), ("removed", removed)].filter { !$0.1.isEmpty }
        return parts.isEmpty ? "nothing" : parts.map { Self.words($0.0, $0.1) }.joined(separator: "; ")
    }

    private static func words(_ kind: String, _ names: [String]) -> String {
        let rest = names.count - most
        return "\(kind) \(names.prefix(most).joined(separator: ", "))" + (rest > 0 ? " and \(rest) more" : "")
    }
}
