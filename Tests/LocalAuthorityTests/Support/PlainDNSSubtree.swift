/// One dNSName constraint, as RFC 5280, section 4.2.1.10 puts it: of the labels of a name the last are those of the
/// constraint. With a dot before it there is at least one more.
struct PlainDNSSubtree {
    private let labels: [String]
    private let isOnlyBelow: Bool

    init(_ base: String) {
        isOnlyBelow = base.hasPrefix(".")
        labels = Self.labels(isOnlyBelow ? String(base.dropFirst()) : base)
    }

    func contains(_ name: String) -> Bool {
        let others = Self.labels(name)
        return others.count >= labels.count + (isOnlyBelow ? 1 : 0)
            && others.suffix(labels.count) == labels[...]
    }

    /// Indicates whether every name with one label before this suffix is in it.
    func containsAll(below suffix: String) -> Bool {
        Self.labels(suffix).suffix(labels.count) == labels[...]
    }

    /// Indicates whether some name with one label before this suffix is in it.
    func containsAny(below suffix: String) -> Bool {
        let isOne = !isOnlyBelow && !labels.isEmpty && labels.dropFirst() == Self.labels(suffix)[...]
        return isOne || containsAll(below: suffix)
    }

    private static func labels(_ name: String) -> [String] {
        name.isEmpty ? [] : name.lowercased().split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
}
