package import Bytes

/// The addresses that may be connected to, whatever name resolved to them.
package struct NetworkPolicy: Hashable, Sendable {
    package enum Verdict: Hashable, Sendable {
        case permitted
        /// The address is in one of the networks that are denied.
        case denied
        /// The address is in a network that only this machine, or the network it is in, has a use for.
        case isPrivate
    }

    package var denied: [IPNetwork]
    /// Exceptions to `denied`, and to the private networks.
    package var allowed: [IPNetwork]
    private var deniesPrivateNetworks = false

    package init(denied: [IPNetwork], allowed: [IPNetwork] = []) {
        self.denied = denied
        self.allowed = allowed
    }

    /// The same, without loopback, private, link-local and unspecified addresses.
    package var withoutPrivateNetworks: NetworkPolicy {
        var policy = self
        policy.deniesPrivateNetworks = true
        return policy
    }

    /// An address that stands for others is denied where one of them is: see ``IPAddress/reachableAddresses``.
    package func judge(_ address: IPAddress) -> Verdict {
        if allows(address) { return .permitted }
        let addresses = address.reachableAddresses.filter { !allows($0) }
        if addresses.contains(where: { address in denied.contains { $0.contains(address) } }) { return .denied }
        guard deniesPrivateNetworks else { return .permitted }
        let isPrivate = addresses.contains { address in IPNetwork.privateNetworks.contains { $0.contains(address) } }
        return isPrivate ? .isPrivate : .permitted
    }

    package func permits(_ address: IPAddress) -> Bool { judge(address) == .permitted }

    private func allows(_ address: IPAddress) -> Bool { allowed.contains { $0.contains(address) } }
}

extension NetworkPolicy {
    /// The policy that denies where cloud machines serve their own credentials: link-local addresses, and those that
    /// AWS, Alibaba, Azure, Google and Oracle have beyond them.
    package static let standard = NetworkPolicy(
        denied: [
            .linkLocalIPv4, .linkLocalIPv6, .metadataAWS, .metadataAlibaba, .metadataAzure, .metadataGoogle,
            .metadataOracle, .metadataOracleClassic,
        ]
    )
}
