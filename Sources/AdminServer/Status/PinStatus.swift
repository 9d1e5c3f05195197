import Bytes
package import FoundationEssentials

/// The pins of some of an API's hosts.
package struct PinStatus: Equatable, Sendable, Decodable {
    /// The hosts that are pinned; empty: every host that no other entry names.
    package var hosts: [String]
    /// `public_key` or `certificate`.
    package var mode: String
    package var count: Int
    /// `refuse` or `report`: what becomes of a connection without a pin.
    package var onFailure: String
    /// The last second before they expire; nil: they never do.
    package var expires: Date?
    /// The same once they have expired.
    package var onExpiry: String

    package init(
        hosts: [String],
        mode: String,
        count: Int,
        onFailure: String,
        expires: Date? = nil,
        onExpiry: String
    ) {
        self.hosts = hosts
        self.mode = mode
        self.count = count
        self.onFailure = onFailure
        self.expires = expires
        self.onExpiry = onExpiry
    }

    var json: JSONText {
        .object([
            ("hosts", .strings(hosts)), ("mode", .string(mode)), ("count", .integer(count)),
            ("on_failure", .string(onFailure)), ("expires", .time(expires)), ("on_expiry", .string(onExpiry)),
        ])
    }
}
