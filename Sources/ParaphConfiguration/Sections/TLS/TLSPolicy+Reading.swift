import Bytes
import Routing
import UpstreamTrust

extension TLSPolicy {
    /// `tls`
    /// - Parameter route: The API whose servers it is for.
    static func read(_ section: Section, route: APIRoute) -> TLSPolicy {
        var policy = TLSPolicy()
        defer { section.finish() }
        section["minimum_version"]?.tlsVersion().map { policy.minimumVersion = $0 }
        section["trust"]?.trustRoots().map { policy.trust = $0 }
        let verifiesHostname = section["verify_hostname"]
        verifiesHostname?.isOn().map { policy.verifiesHostname = $0 }
        policy.pinning = section["pinning"].map { PinningReading(hosts: route.hosts).read($0) } ?? []
        policy.revocation = section.section("revocation").flatMap { RevocationPolicy.read($0) }
        policy.clientIdentity = TLSIdentity.read(
            certificate: section["client_certificate"],
            key: section["client_private_key"],
            of: section,
            names: ("client_certificate", "client_private_key")
        )
        if route.upstreamScheme == .http {
            section.value.reportAtKey(
                "is of no use beside upstream: http, which speaks no TLS and verifies nobody; remove one of the two"
            )
        } else if !policy.verifiesHostname {
            verifiesHostname?.advise(
                .warning,
                "is off: any host's valid certificate is accepted. For a server of another name, connect_to keeps the "
                    + "verification; for a private one, name its root in trust"
            )
        }
        return policy
    }
}

extension Value {
    fileprivate func tlsVersion() -> TLSVersion? {
        guard let text = text() else { return nil }
        guard let version = TLSVersion(rawValue: text) else {
            report(
                "must be \(alternatives(TLSVersion.allCases.map { "\"\($0.rawValue)\"" })); older versions are never spoken"
            )
            return nil
        }
        return version
    }

    /// `system`, or a list of PEM files.
    func trustRoots() -> TrustRoots? {
        if scalar == "system" { return .system }
        guard isList, let items = items() else {
            report("must be system or a list of PEM files")
            return nil
        }
        if items.isEmpty { report("is an empty list, which trusts nobody; list PEM files or write system") }
        return .certificates(items.flatMap { $0.certificates() ?? [] })
    }
}
