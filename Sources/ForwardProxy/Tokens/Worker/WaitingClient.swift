/// A client whose requests wait for a token of one account.
package struct WaitingClient: Equatable, Sendable {
    /// The name of a configured client; nil: it is none.
    package var name: String?
    /// Its IP address; nil: it is not known.
    package var address: String?
    /// The number of its requests that wait.
    package var requests: Int
    /// The time from which the first of them waits, in whole seconds since 1970-01-01T00:00:00Z.
    package var since: Int64

    package init(name: String?, address: String?, requests: Int, since: Int64) {
        self.name = name
        self.address = address
        self.requests = requests
        self.since = since
    }
}
