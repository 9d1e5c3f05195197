/// One dNSName constraint, as RFC 5280, section 4.2.1.10 puts it: of the labels of a name the last are those of the
/// constraint. With a dot before it there is at least one more.
struct PlainDNSSubtree {
    private let labels: [String]
    private let isOnlyBelow: Bool

    init(_ base: String) {
        self.isOnlyBelow = base.hasPrefix(".")
        self.labels = Self.labels(self.isOnlyBelow ? String(base.dropFirst()) : base)
    }

    func contains(_ name: String) -> Bool {
        let others = Self.labels(name)
        return others.count >= self.labels.count + (self.isOnlyBelow ? 1 : 0)
            && others.suffix(self.labels.count) == self.labels[...]
    }

    /// Indicates whether every name with one label before this suffix is in it.
    func containsAll(below suffix: String) -> Bool {
        Self.labels(suffix).suffix(self.labels.count) == self.labels[...]
    }

    /// Indicates whether some name with one label before this suffix is in it.
    func containsAny(below suffix: String) -> Bool {
        let isOne = !self.isOnlyBelow && !self.labels.isEmpty && self.labels.dropFirst() == Self.labels(suffix)[...]
        return isOne || self.containsAll(below: suffix)
    }

    private static func labels(_ name: String) -> [String] {
        name.isEmpty ? [] : name.lowercased().split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
}
