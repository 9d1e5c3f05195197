/// dNSName constraints (RFC 5280, section 4.2.1.10): domains with all that is below them, or, with a dot before them as
/// OpenSSL and Go read it, only what is below them. The empty one is every name.
///
/// A question costs a look-up for each label of the name, however many constraints there are.
struct DNSSubtrees: Sendable {
    private let domains: Set<Substring>
    /// The subtrees that are written with a dot before them, without it.
    private let domainsOnlyBelow: Set<Substring>
    /// The rests of the domains after their first label; nil stands for nothing, which is less than an empty label.
    private let parents: Set<Substring?>

    /// - Parameter bases: The domains, in letters of either case.
    init(_ bases: some Sequence<String>) {
        var domains: Set<Substring> = []
        var domainsOnlyBelow: Set<Substring> = []
        for base in bases {
            let name = base.lowercased()[...]
            if name.hasPrefix(".") {
                domainsOnlyBelow.insert(name.dropFirst())
            } else {
                domains.insert(name)
            }
        }
        self.domains = domains
        self.domainsOnlyBelow = domainsOnlyBelow
        parents = Set(domains.lazy.filter { !$0.isEmpty }.map(Self.parent))
    }

    var isEmpty: Bool { domains.isEmpty && domainsOnlyBelow.isEmpty }

    func contains(_ name: some StringProtocol) -> Bool {
        let name = name.lowercased()[...]
        if domains.contains(name) { return true }
        return !name.isEmpty && Self.hasDomain(above: name) { isBase($0) }
    }

    /// Returns whether every name with one label before this suffix is in one of them.
    func containsAll(below suffix: String) -> Bool {
        let suffix = suffix.lowercased()[...]
        return isBase(suffix) || Self.hasDomain(above: suffix) { isBase($0) }
    }

    /// Returns whether some name with one label before this suffix is in one of them.
    func containsAny(below suffix: String) -> Bool {
        let name = suffix.lowercased()[...]
        return parents.contains(name.isEmpty ? nil : name) || containsAll(below: suffix)
    }

    private func isBase(_ name: Substring) -> Bool {
        domains.contains(name) || domainsOnlyBelow.contains(name)
    }

    /// Returns whether one of the domains that a name is below fulfils the condition; the last of them is the empty
    /// one.
    private static func hasDomain(above name: Substring, where condition: (Substring) -> Bool) -> Bool {
        var rest = name
        while let parent = Self.parent(of: rest) {
            if condition(parent) { return true }
            rest = parent
        }
        return condition("")
    }

    /// Returns the name without its first label; nil for one label.
    private static func parent(of name: Substring) -> Substring? {
        name.firstIndex(of: ".").map { name[name.index(after: $0)...] }
    }
}
