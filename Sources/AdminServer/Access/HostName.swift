import Bytes

/// The host of a Host field (RFC 9110, section 7.2).
struct HostName {
    private let text: String

    /// Takes the host of a value; nil when that is not a host with or without a port.
    init?(authority: String) {
        var host = authority[...]
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
            guard Self.isPort(host[host.index(after: end)...]) else { return nil }
            host = host[host.index(after: host.startIndex)..<end]
            guard host.contains(":") else { return nil }
        } else if let colon = host.firstIndex(of: ":") {
            guard Self.isPort(host[colon...]) else { return nil }
            host = host[..<colon]
        }
        guard !host.isEmpty else { return nil }
        text = host.lowercased()
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text.first == ":" && text.dropFirst().utf8.allSatisfy(\.isDigit)
    }

    /// Indicates whether no name server was asked about it.
    var isAddressOrLocalhost: Bool {
        text == "localhost" || IPAddress(text) != nil
    }
}
