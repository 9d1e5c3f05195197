/// The environment of a command, as bytes: what is not touched stays as it is.
enum CommandEnvironment {
    /// - Parameters:
    ///   - present: `NAME=value` each.
    ///   - removed: Names that the command does not get, be they set or not.
    ///   - assigned: The variables that it gets, in place of present ones of the same name.
    static func entries(
        present: [[UInt8]],
        removed: Set<String>,
        assigned: [(name: String, value: String)]
    ) -> [[UInt8]] {
        let gone = removed.union(assigned.map(\.name))
        let kept = present.filter { entry in
            guard let sign = entry.firstIndex(of: UInt8(ascii: "=")) else { return true }
            return !gone.contains(String(decoding: entry[..<sign], as: UTF8.self))
        }
        return kept + assigned.map { Array("\($0.name)=\($0.value)".utf8) }
    }
}
