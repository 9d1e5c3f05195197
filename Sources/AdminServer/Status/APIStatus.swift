package import Bytes
package import FoundationEssentials
package import Inspection

/// An API: how its requests are authorized, and the state of its upstreams.
package struct APIStatus: Equatable, Sendable, Decodable {
    package enum Authorization: String, Sendable, Decodable {
        case oauth1
        case oauth2
        case bearer
    }

    package var name: String
    package var hosts: [String]
    package var scheme: URIScheme
    package var authorization: Authorization
    /// `HMAC-SHA1` or another; nil: requests are not signed.
    package var signatureMethod: String?
    package var pins: [PinStatus]
    /// Hosts, a few at most, at which every pin is of the chain that the server has now, as far as connections have
    /// told: when its key changes, the API is cut off.
    package var hostsWithoutBackupPin: [String]
    /// The time at which the client certificate expires; nil: there is none.
    package var clientCertificateExpires: Date?
    /// The state of the provider's clock; nil when requests are not signed, and carry no time.
    package var clock: ClockStatus?
    /// The limits that the provider last told its accounts, the latest first; of a bounded number of accounts, and of
    /// those alone that it told any.
    package var rateLimits: [RateLimitStatus]
    package var connections: UpstreamConnectionCounts

    package init(
        name: String,
        hosts: [String],
        scheme: URIScheme,
        authorization: Authorization,
        signatureMethod: String? = nil,
        pins: [PinStatus] = [],
        hostsWithoutBackupPin: [String] = [],
        clientCertificateExpires: Date? = nil,
        clock: ClockStatus? = nil,
        rateLimits: [RateLimitStatus] = [],
        connections: UpstreamConnectionCounts = UpstreamConnectionCounts()
    ) {
        self.name = name
        self.hosts = hosts
        self.scheme = scheme
        self.authorization = authorization
        self.signatureMethod = signatureMethod
        self.pins = pins
        self.hostsWithoutBackupPin = hostsWithoutBackupPin
        self.clientCertificateExpires = clientCertificateExpires
        self.clock = clock
        self.rateLimits = rateLimits
        self.connections = connections
    }

    var json: JSONText {
        .object([
            ("name", .string(name)),
            ("hosts", .strings(hosts)),
            ("scheme", .string(scheme.rawValue)),
            ("authorization", .string(authorization.rawValue)),
            ("signature_method", .string(signatureMethod)),
            ("pins", .array(pins.map(\.json))),
            ("hosts_without_backup_pin", .strings(hostsWithoutBackupPin)),
            ("client_certificate_expires", .time(clientCertificateExpires)),
            ("clock", clock?.json ?? .null),
            ("rate_limits", .array(rateLimits.map(\.json))),
            ("connections", connections.json),
        ])
    }
}
