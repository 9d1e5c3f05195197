import Bytes

/// Hosts that a server behind a gateway sees, and the client that signed does not.
enum InnerHost {
    private static let ends = [".local", ".localhost", ".internal", ".lan", ".test", ".svc", ".cluster.local"]

    /// - Returns: Nil for a host of the public's.
    static func finding(host: String) -> ComparisonFinding? {
        guard isInner(host) else { return nil }
        return ComparisonFinding(
            cause: .host,
            certainty: .likely,
            sentence:
                "The host \(host) is one that a server behind a gateway sees. A client signs the host that it calls: give that "
                + "one in the URL or by --host (X-Forwarded-Host often has it), and the scheme of X-Forwarded-Proto."
        )
    }

    private static func isInner(_ host: String) -> Bool {
        if host.hasPrefix("[") { return host == "[::1]" || host.hasPrefix("[fd") || host.hasPrefix("[fe80") }
        let parts = host.split(separator: ".")
        if parts.count == 4, parts.allSatisfy({ UInt8($0) != nil }) {
            let (one, two) = (UInt8(parts[0]) ?? 0, UInt8(parts[1]) ?? 0)
            return one == 127 || one == 10 || one == 0 || one == 192 && two == 168 || one == 172 && 16...31 ~= two
        }
        return parts.count == 1 || ends.contains { host.hasSuffix($0) }
    }
}
