import NIOCore

/// The host of a Host field (RFC 9110, section 7.2).
struct HostName {
    private let text: String

    /// Nil when the value is not a host with or without a port.
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
        // An address is read as a string of C, which ends before a zero byte: what follows would be passed over.
        guard !host.isEmpty, !host.utf8.contains(0) else { return nil }
        text = host.lowercased()
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text.first == ":" && text.dropFirst().utf8.allSatisfy { 0x30...0x39 ~= $0 }
    }

    /// Indicates whether no name server was asked about it.
    var isAddressOrLocalhost: Bool {
        text == "localhost" || (try? SocketAddress(ipAddress: text, port: 0)) != nil
    }
}
