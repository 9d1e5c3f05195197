/// What an upstream's TLS has to satisfy before an octet of a request is written to it.
package struct TLSPolicy: Sendable {
    package var minimumVersion: TLSVersion
    package var trust: TrustRoots
    /// Whether the certificate has to be for the host that was asked for. Off drops this check and no other.
    package var verifiesHostname: Bool
    package var pinning: PinningPolicy?

    package init(
        minimumVersion: TLSVersion = .tls12,
        trust: TrustRoots = .system,
        verifiesHostname: Bool = true,
        pinning: PinningPolicy? = nil
    ) {
        self.minimumVersion = minimumVersion
        self.trust = trust
        self.verifiesHostname = verifiesHostname
        self.pinning = pinning
    }
}
