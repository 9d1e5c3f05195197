import Bytes
package import FoundationEssentials

/// A client whose requests wait for a token of an account.
package struct WaiterStatus: Equatable, Sendable, Decodable {
    /// The name of a configured client; nil: it is none.
    package var client: String?
    /// Its IP address; nil: it is not known.
    package var address: String?
    /// The number of its requests that wait.
    package var requests: Int
    /// The time from which the first of them waits.
    package var since: Date

    package init(client: String?, address: String?, requests: Int, since: Date) {
        self.client = client
        self.address = address
        self.requests = requests
        self.since = since
    }

    var json: JSONText {
        .object([
            ("client", .string(client)), ("address", .string(address)), ("requests", .integer(requests)),
            ("since", .time(since)),
        ])
    }
}
