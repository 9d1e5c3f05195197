import Bytes
import Routing

/// The hosts that clients reach without the proxy: `NO_PROXY`.
struct NoProxyList: Equatable {
    /// The entries, in the words of curl and most others: a name stands for itself and all below it.
    let entries: [String]
    /// The entries of the present list that had to go, because an API's requests would then not be signed.
    let dropped: [String]

    /// Keeps what the environment has, without what names a host of an API. This machine's own loopback is added where
    /// no API is there: what a program serves to itself is no business of a proxy, and Go and Java never send that to
    /// one.
    init(present: String, apis: [HostPattern]) {
        var entries: [String] = []
        var dropped: [String] = []
        for entry in present.split(whereSeparator: { $0 == "," || $0.isWhitespace }).map(String.init) {
            let coversAPI = apis.contains { Self.entry(entry, covers: $0) }
            if coversAPI { dropped.append(entry) } else { entries.append(entry) }
        }
        for entry in ["localhost", "127.0.0.1", "::1"] where !entries.contains(entry) {
            if !apis.contains(where: { Self.entry(entry, covers: $0) }) { entries.append(entry) }
        }
        self.entries = entries
        self.dropped = dropped
    }

    var text: String { entries.joined(separator: ",") }

    /// The list as the Java property `http.nonProxyHosts` has it. Networks cannot be said there.
    var javaText: String {
        entries.filter { !$0.contains("/") }.flatMap { entry -> [String] in
            switch entry {
            case "*", "localhost": [entry]
            case "127.0.0.1": ["127.*"]
            case _ where entry.utf8.count(where: { $0 == UInt8(ascii: ":") }) > 1:
                [entry.hasPrefix("[") ? entry : "[\(entry)]"]
            default: IPAddress(entry) != nil ? [entry] : [Self.bare(entry), "*.\(Self.bare(entry))"]
            }
        }.joined(separator: "|")
    }

    private static func entry(_ entry: String, covers pattern: HostPattern) -> Bool {
        if entry == "*" { return true }
        let name = bare(entry)
        switch pattern.name {
        case .exact(let host):
            if let address = IPAddress(host) {
                if let network = try? IPNetwork(name) { return network.contains(address) }
                return false
            }
            return host == name || host.hasSuffix(".\(name)")
        case .wildcard(let suffix):
            let hasOneLabelMore = name.split(separator: ".", maxSplits: 1).last.map { $0 == suffix } ?? false
            return suffix == name || suffix.hasSuffix(".\(name)") || hasOneLabelMore
        }
    }

    /// Returns an entry in lower case, without a leading dot or star, without brackets and port.
    private static func bare(_ entry: String) -> String {
        var name = entry.lowercased()[...]
        if name.hasPrefix("*") { name = name.dropFirst() }
        if name.hasPrefix(".") { name = name.dropFirst() }
        if name.hasPrefix("["), let end = name.firstIndex(of: "]") { return String(name[..<end].dropFirst()) }
        let colons = name.utf8.count(where: { $0 == UInt8(ascii: ":") })
        if colons == 1, let colon = name.firstIndex(of: ":") { name = name[..<colon] }
        return String(name)
    }
}
