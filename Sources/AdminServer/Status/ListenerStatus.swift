import Bytes
package import FoundationEssentials

/// An address that the process listens at.
package struct ListenerStatus: Equatable, Sendable, Decodable {
    package enum Purpose: String, Sendable, Decodable {
        case proxy
        case admin
        case gateway
    }

    package var purpose: Purpose
    /// The API of a gateway; nil: it is none.
    package var api: String?
    /// `HOST:PORT`, with the port that was chosen where the configuration leaves it open.
    package var address: String
    package var tls: Bool
    /// The time at which its certificate expires; nil: it has none.
    package var certificateExpires: Date?

    package init(
        _ purpose: Purpose,
        api: String? = nil,
        address: String,
        tls: Bool = false,
        certificateExpires: Date? = nil
    ) {
        self.purpose = purpose
        self.api = api
        self.address = address
        self.tls = tls
        self.certificateExpires = certificateExpires
    }

    var json: JSONText {
        .object([
            ("purpose", .string(purpose.rawValue)), ("api", .string(api)), ("address", .string(address)),
            ("tls", .boolean(tls)), ("certificate_expires", .time(certificateExpires)),
        ])
    }
}
