/// A dNSName constraint (RFC 5280 section 4.2.1.10): a domain with all that is below it, or, with a dot before it as
/// OpenSSL and Go read it, only what is below it. The empty one is every name.
struct DNSSubtree {
    private let labels: [String]
    private let isOnlyBelow: Bool

    init(_ base: String) {
        self.isOnlyBelow = base.hasPrefix(".")
        let name = self.isOnlyBelow ? String(base.dropFirst()) : base
        self.labels = Self.labels(name)
    }

    func contains(_ name: String) -> Bool {
        let others = Self.labels(name)
        return others.count >= self.labels.count + (self.isOnlyBelow ? 1 : 0)
            && others.suffix(self.labels.count) == self.labels[...]
    }

    /// Whether every name with one label before this suffix is in it.
    func containsAll(below suffix: String) -> Bool {
        let others = Self.labels(suffix)
        return others.suffix(self.labels.count) == self.labels[...]
    }

    /// Whether some name with one label before this suffix is in it.
    func containsAny(below suffix: String) -> Bool {
        let isOne = !self.isOnlyBelow && self.labels.dropFirst() == Self.labels(suffix)[...]
        return isOne && !self.labels.isEmpty || self.containsAll(below: suffix)
    }

    private static func labels(_ name: String) -> [String] {
        name.isEmpty ? [] : name.lowercased().split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
}
