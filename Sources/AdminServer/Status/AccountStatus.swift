import Bytes
package import FoundationEssentials

/// An account, and the state of its token.
package struct AccountStatus: Equatable, Sendable, Decodable {
    package enum Source: String, Sendable, Decodable {
        /// The token is in the configuration.
        case issued
        case bearer
        case twoLegged = "two_legged"
        case reverseAuth = "reverse_auth"
        case xAuth = "xauth"
        case password
        case threeLegged = "three_legged"
        /// `POST /register`; the configuration does not name the account.
        case enrolment
    }

    package enum State: String, Sendable, Decodable {
        /// Requests are authorized: with a token, or without one where none is needed.
        case ready
        /// The first request has one exchanged.
        case notYet = "none_yet"
        /// The next request has another one exchanged.
        case expired
        /// A person has to run `paraph login`.
        case needsLogin = "needs_login"
        /// There is none, and the last exchange failed.
        case failing
        /// The vault holds something that the account cannot use.
        case unusable
        /// No token is known here, and the vault, which may have one, is away.
        case unknown
    }

    package var api: String
    package var account: String
    package var source: Source
    package var state: State
    /// The reason why what the vault holds is not used, or not known; nil: that is not the case.
    package var detail: String?
    /// The time at which the token was obtained; nil: there is none, or the configuration has it.
    package var obtained: Date?
    /// The time at which the token expires; nil: it is not known to.
    package var expires: Date?
    /// Requests that wait for an exchange.
    package var waiting: Int
    /// The clients whose requests these are, as they came; the first few of them.
    package var waiters: [WaiterStatus]
    /// The last token exchange; nil when there was none since the start.
    package var lastExchange: ExchangeStatus?

    package init(
        api: String,
        account: String,
        source: Source,
        state: State,
        detail: String? = nil,
        obtained: Date? = nil,
        expires: Date? = nil,
        waiting: Int = 0,
        waiters: [WaiterStatus] = [],
        lastExchange: ExchangeStatus? = nil
    ) {
        self.api = api
        self.account = account
        self.source = source
        self.state = state
        self.detail = detail
        self.obtained = obtained
        self.expires = expires
        self.waiting = waiting
        self.waiters = waiters
        self.lastExchange = lastExchange
    }

    var json: [(key: String, value: JSONText)] {
        [
            ("api", .string(api)),
            ("account", .string(account)),
            ("source", .string(source.rawValue)),
            ("state", .string(state.rawValue)),
            ("detail", .string(detail)),
            ("obtained", .time(obtained)),
            ("expires", .time(expires)),
            ("waiting", .integer(waiting)),
            ("waiters", .array(waiters.map(\.json))),
            ("last_exchange", lastExchange?.json ?? .null),
        ]
    }
}
