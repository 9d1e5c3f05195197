/// A listener of an API's own, for clients that take it for the API's first host.
package struct GatewaySettings: Sendable, Hashable {
    package var address: ListenAddress
    /// Indicates whether fields of responses that point at the upstream are made to point at the gateway.
    package var mapsResponses: Bool
    /// Names that clients may use for it in Host, besides its address, loopback addresses and `localhost`; without
    /// ports, in lower case or in the canonical form of an address.
    package var hosts: [String]

    package init(address: ListenAddress = .anyLoopback, mapsResponses: Bool = true, hosts: [String] = []) {
        self.address = address
        self.mapsResponses = mapsResponses
        self.hosts = hosts
    }
}
