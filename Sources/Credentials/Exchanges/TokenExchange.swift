/// An exchange that gets an account its token without a person, whichever way that is.
///
/// A value without I/O, clock or randomness: requests come out, responses go in, one exchange for each value.
package enum TokenExchange: ProviderExchange {
    package typealias Outcome = Result<StoredCredential, ExchangeFailure>

    case reverseAuth(ReverseAuthExchange)
    case xAuth(XAuthExchange)
    case passwordGrant(PasswordGrantExchange)

    /// Chooses the exchange of an account; nil where nothing is to be exchanged: the token is written in the
    /// configuration, needs a person or is none; or where the account's way to a token is none of the API's.
    /// - Parameter stored: The account's credential in the vault.
    package init?(_ account: AccountSettings, scheme: AuthorizationScheme, stored: StoredCredential?) {
        switch (account.source, scheme) {
        case (.reverseAuth(let settings), .oauth1(let api)):
            self = .reverseAuth(ReverseAuthExchange(settings: settings, client: (account.oauth1 ?? api).client))
        case (.xAuth(let settings), .oauth1(let api)):
            self = .xAuth(XAuthExchange(settings: settings, oauth1: account.oauth1 ?? api))
        case (.password(let login), .oauth2(let settings)):
            self = .passwordGrant(PasswordGrantExchange(settings: settings, login: login, stored: stored))
        default:
            return nil
        }
    }

    /// Begins the exchange, from the beginning whatever went before.
    package mutating func start(
        nonce: String,
        timestamp: UInt64
    ) throws(ExchangeFailure) -> ExchangeProgress<Outcome> {
        switch self {
        case .reverseAuth(var exchange):
            defer { self = .reverseAuth(exchange) }
            return .send(try exchange.start(nonce: nonce, timestamp: timestamp))
        case .xAuth(var exchange):
            defer { self = .xAuth(exchange) }
            return .send(try exchange.start(nonce: nonce, timestamp: timestamp))
        case .passwordGrant(var exchange):
            defer { self = .passwordGrant(exchange) }
            return .send(try exchange.start())
        }
    }

    package mutating func receive(
        _ response: ExchangeResponse,
        nonce: String,
        timestamp: UInt64
    ) -> ExchangeProgress<Outcome> {
        switch outcome(of: response, nonce: nonce, timestamp: timestamp) {
        case .send(let request): .send(request)
        case .obtained(let credential): .ended(.success(credential))
        case .failed(let failure): .failed(failure)
        }
    }

    private mutating func outcome(
        of response: ExchangeResponse,
        nonce: String,
        timestamp: UInt64
    ) -> ExchangeOutcome {
        switch self {
        case .reverseAuth(var exchange):
            defer { self = .reverseAuth(exchange) }
            return exchange.receive(response, nonce: nonce, timestamp: timestamp)
        case .xAuth(var exchange):
            defer { self = .xAuth(exchange) }
            return exchange.receive(response, timestamp: timestamp)
        case .passwordGrant(var exchange):
            defer { self = .passwordGrant(exchange) }
            return exchange.receive(response, timestamp: timestamp)
        }
    }
}

/// The outcome of a provider's answer in one of the ways to a token.
package enum ExchangeOutcome: Sendable {
    /// The next step, to be sent.
    case send(ExchangeRequest)
    /// The exchange is over: to be stored.
    case obtained(StoredCredential)
    /// The exchange is over, in vain.
    case failed(ExchangeFailure)
}
