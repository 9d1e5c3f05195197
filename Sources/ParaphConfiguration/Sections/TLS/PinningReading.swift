import Bytes
import Routing
import UpstreamTrust

/// Reads `pinning`: a mapping for all hosts of an API, or a list of mappings that each name theirs.
struct PinningReading {
    /// The hosts of the API; none when they could not be read.
    let hosts: [HostPattern]

    func read(_ value: Value) -> [HostPinning] {
        if value.isNull { return [] }
        guard value.isList else {
            guard let section = value.section() else { return [] }
            guard !section.lacks("hosts") else { return HostPinning.read(section, hosts: []).map { [$0] } ?? [] }
            return list([section], of: value)
        }
        guard let items = value.items() else { return [] }
        if items.isEmpty {
            value.report("is an empty list, which pins nothing; write mode: none if that is meant")
            return []
        }
        return list(items.compactMap { $0.section() }, of: value)
    }

    /// Entries that name their hosts. Every host of the API has to be named by one of them: that a host is not pinned
    /// must have been said, with `mode: none`.
    private func list(_ sections: [Section], of value: Value) -> [HostPinning] {
        let before = value.context.mistakes.count
        var claims: [HostPattern: Value] = [:]
        let patterns = sections.map { section in
            let hosts = section.required("hosts")?.hostPatterns() ?? []
            for (pattern, item) in hosts { claim(pattern, item, &claims) }
            return hosts.map(\.pattern)
        }
        let forgotten = hosts.filter { claims[$0.onAPort] == nil }
        // Hosts that are misspelt have been reported, and are likely the ones that seem forgotten.
        if !forgotten.isEmpty, value.context.mistakes.count == before {
            value.reportAtKey(
                "says nothing of \(forgotten.map(\.description).joined(separator: ", ")); name every host of the API in one "
                    + "entry, with mode: none where nothing is pinned"
            )
        }
        return zip(sections, patterns).compactMap { HostPinning.read($0, hosts: $1) }
    }

    private func claim(_ pattern: HostPattern, _ item: Value, _ claims: inout [HostPattern: Value]) {
        if let earlier = claims.updateValue(item, forKey: pattern.onAPort) {
            item.report("is listed already, as \(earlier.path)")
        }
        guard !hosts.isEmpty, !isOfAPI(pattern) else { return }
        item.report(
            "names none of this API's hosts: "
                + hosts.map(\.description).joined(separator: ", ")
        )
    }

    /// One of the API's patterns, or one host of a pattern with a star.
    private func isOfAPI(_ pattern: HostPattern) -> Bool {
        if hosts.contains(where: { $0.onAPort == pattern.onAPort }) { return true }
        guard case .exact = pattern.name,
            let authority = try? Authority(parsing: pattern.description, defaultPort: URIScheme.https.defaultPort)
        else { return false }
        return hosts.contains { $0.matches(authority, scheme: .https) }
    }
}

extension HostPattern {
    /// The same with its port said, so that `a.example` and `a.example:443` are one.
    fileprivate var onAPort: HostPattern {
        guard port == nil else { return self }
        return (try? HostPattern("\(self):\(URIScheme.https.defaultPort)")) ?? self
    }
}
