import Bytes

/// The clock of an API's provider, as far as its answers have told.
package struct ClockStatus: Equatable, Sendable, Decodable {
    /// Indicates whether it is followed once it has refused this machine's (`clock: correct`).
    package var follows: Bool
    /// The provider's time minus this machine's, in seconds, as signatures have it; nil until the provider has told it.
    package var offsetSeconds: Int?

    package init(follows: Bool, offsetSeconds: Int?) {
        self.follows = follows
        self.offsetSeconds = offsetSeconds
    }

    var json: JSONText {
        .object([("follows", .boolean(follows)), ("offset_seconds", offsetSeconds.map(JSONText.integer) ?? .null)])
    }
}
