/// A listener of an API's own, for clients that take it for the API's first host.
package struct GatewaySettings: Sendable, Equatable {
    /// Host name or IP address, without brackets.
    package var host: String
    /// 0: any free port.
    package var port: Int
    /// Indicates whether fields of responses that point at the upstream are made to point at the gateway.
    package var mapsResponses: Bool
    /// Names that clients may use for it in Host, besides its address, loopback addresses and `localhost`.
    package var hosts: [String]

    package init(host: String = "127.0.0.1", port: Int = 0, mapsResponses: Bool = true, hosts: [String] = []) {
        self.host = host
        self.port = port
        self.mapsResponses = mapsResponses
        self.hosts = hosts
    }
}
