import Routing

/// An account of NetSuite, as its hosts are named after it.
struct NetSuiteAccount: Hashable {
    /// The label that the host begins with: `1234567-sb1`.
    let label: String

    /// The value that the realm must have: `1234567_SB1`.
    var realm: String {
        String(label.uppercased().map { $0 == "-" ? "_" : $0 })
    }
}

extension HostPattern {
    /// The account of the host; nil unless it is one of the domains that NetSuite has for each account.
    var netSuiteAccount: NetSuiteAccount? {
        guard case .exact(let host) = name else { return nil }
        for suffix in [".restlets.api.netsuite.com", ".suitetalk.api.netsuite.com", ".app.netsuite.com"] {
            guard host.hasSuffix(suffix) else { continue }
            let label = String(host.dropLast(suffix.count))
            return label.isEmpty || label.utf8.contains(UInt8(ascii: ".")) ? nil : NetSuiteAccount(label: label)
        }
        return nil
    }
}
