import Credentials
import OAuthSigning

/// All that authorizing the requests of one account needs, prepared.
final class ReadyAuthorization {
    /// The source of a request's Authorization field.
    enum Authorizer {
        /// A signature, new for each request.
        case signer(Signer)
        /// The same value each time.
        case field([UInt8])
    }

    let authorizer: Authorizer
    /// The token; nil when there is none (two-legged).
    let token: AccountToken?
    let timestamps: TimestampMode
    /// Indicates whether the provider's clock is followed when it refuses a timestamp.
    let correctsClock: Bool
    let origin: TokenOrigin
    /// The time at which a new token should be asked for, in nanoseconds of the monotonic clock.
    let refreshAt: UInt64

    /// - Parameters:
    ///   - oauth1: The settings of signatures; nil when requests are not signed but carry the token.
    ///   - client: The client that is prepared from its client credentials and options.
    ///   - template: The field that it then stands in.
    /// - Returns: Nil when the token cannot stand in a field.
    init?(
        _ token: AccountToken?,
        oauth1: OAuth1Settings?,
        client: PreparedClient?,
        template: HeaderTemplate,
        origin: TokenOrigin
    ) throws(SigningError) {
        switch (client, token) {
        case (let client?, .oauth1(let credentials)):
            authorizer = .signer(try Signer(client: client, token: credentials))
        case (let client?, nil):
            authorizer = .signer(try Signer(client: client, token: nil))
        case (nil, .access(let access)):
            guard let value = template.value(token: access.value) else { return nil }
            authorizer = .field(value)
        case (_?, .access), (nil, .oauth1), (nil, nil): return nil
        }
        self.token = token
        timestamps = oauth1?.timestamps ?? .wall
        correctsClock = oauth1?.correctsClock ?? false
        self.origin = origin
        if case .exchange(_, let refreshAt?, _) = origin {
            self.refreshAt = refreshAt
        } else {
            refreshAt = .max
        }
    }
}

extension ReadyAuthorization {
    /// The number of the account's token; told when the provider refuses it.
    var generation: UInt64 {
        if case .exchange(let generation, _, _) = origin { generation } else { 0 }
    }

    /// Indicates whether a new token can be had without a person.
    var isRenewable: Bool {
        if case .exchange = origin { true } else { false }
    }

    var isAccessToken: Bool {
        if case .field = authorizer { true } else { false }
    }

    /// The secrets that must not appear in anything that is said of the provider's answers.
    var secrets: [Secret] {
        let exchanged: [Secret] = if case .exchange(_, _, let secrets) = origin { secrets } else { [] }
        return switch token {
        case .oauth1(let credentials): exchanged + [credentials.secret]
        case .access(let access): exchanged + [access.value] + (access.refreshToken.map { [$0] } ?? [])
        case nil: exchanged
        }
    }
}

@available(*, unavailable)
extension ReadyAuthorization: Sendable {}
