import Bytes
package import Routing

/// The conditions that an upstream's TLS has to satisfy before a byte of a request is written to it.
package struct TLSPolicy: Sendable {
    package var minimumVersion: TLSVersion
    package var trust: TrustRoots
    /// Indicates whether the certificate has to be for the host that was asked for. Off drops this check and no other.
    package var verifiesHostname: Bool
    /// The pins, by hosts; empty: nothing is pinned.
    package var pinning: [HostPinning]
    /// The lists of revoked certificates, and what is done without one; nil when no revocation is asked about.
    package var revocation: RevocationPolicy?
    /// The identity that is shown to an upstream that asks for a client certificate.
    package var clientIdentity: TLSIdentity?

    package init(
        minimumVersion: TLSVersion = .tls12,
        trust: TrustRoots = .system,
        verifiesHostname: Bool = true,
        pinning: [HostPinning] = [],
        revocation: RevocationPolicy? = nil,
        clientIdentity: TLSIdentity? = nil
    ) {
        self.minimumVersion = minimumVersion
        self.trust = trust
        self.verifiesHostname = verifiesHostname
        self.pinning = pinning
        self.revocation = revocation
        self.clientIdentity = clientIdentity
    }

    /// Returns what a server is pinned to: by the entry that names its host, else by the wildcard that has it, else by
    /// the entry without hosts. nil: nothing.
    ///
    /// Where there are entries and none of them is for the server, no chain is accepted: a host that was forgotten must
    /// not be one that is not pinned.
    package func pinning(for authority: Authority) -> PinningPolicy? {
        if pinning.isEmpty { return nil }
        var best: (rank: Int, policy: PinningPolicy?) = (-1, PinningPolicy(mode: .publicKey, pins: []))
        for entry in pinning {
            let rank = entry.hosts.isEmpty ? 0 : entry.hosts.map { $0.rank(of: authority) }.max() ?? -1
            if rank > best.rank { best = (rank, entry.policy) }
        }
        return best.policy
    }
}

extension HostPattern {
    /// Returns how closely it names a server: negative when not at all. Each wildcard has one label for its star, so
    /// that a longer one is never beside a shorter one for the same host.
    fileprivate func rank(of authority: Authority) -> Int {
        guard matches(authority, scheme: .https) else { return -1 }
        return switch name {
        case .wildcard: 1
        case .exact: 2
        }
    }
}

/// The hosts of an API that are pinned, and their pins.
package struct HostPinning: Sendable {
    /// The hosts that they are for; empty: every host that no other entry names.
    package var hosts: [HostPattern]
    /// The pins of the hosts; nil when they are not pinned, and that is meant (`mode: none`).
    package var policy: PinningPolicy?

    package init(hosts: [HostPattern] = [], policy: PinningPolicy?) {
        self.hosts = hosts
        self.policy = policy
    }
}

/// The versions of TLS that may be asked for as a minimum; older ones are never spoken.
package enum TLSVersion: String, CaseIterable, Sendable {
    case tls12 = "1.2"
    case tls13 = "1.3"
}
