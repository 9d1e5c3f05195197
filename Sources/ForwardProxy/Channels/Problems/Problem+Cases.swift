import HTTP1Codec
import HTTP2Codec
import OAuthSigning

extension Problem {
    /// Describes what could not be read as an HTTP/1.1 request.
    ///
    /// - Parameter headerLimit: The number of bytes that a head may have.
    init(malformed error: MessageError, headerLimit: Int) {
        let fields = MessageLimits.fields(headerBytes: headerLimit)
        let detail =
            switch error.status {
            case 400: "The request is malformed: \(error)"
            case 431 where error == .tooManyFields:
                "\(error) It is \(fields), one for 256 bytes of limits.header, at least 256."
            case 414, 431: "\(error) It is limits.header, \(headerLimit) bytes."
            default: "\(error)"
            }
        self.init(status: error.status, token: .httpRequestError, detail: detail)
    }

    /// Describes what could not be read as an HTTP/2 request.
    init(unreadable error: HeaderBlockError, status: Int, headerLimit: Int) {
        let fields = MessageLimits.fields(headerBytes: headerLimit)
        let limit =
            status == 431
            ? " It is limits.header, \(headerLimit) bytes, and \(fields) fields, one for 256 of them, at least 256."
            : ""
        self.init(status: status, token: .httpRequestError, detail: "\(error)\(limit)")
    }

    static let tlsToProxy = Problem(
        status: 400,
        token: .httpRequestError,
        detail:
            "The client speaks TLS to the proxy itself, which listens for plain HTTP. Write the proxy's address with "
            + "http://, also in HTTPS_PROXY, or give the listener a certificate (listen.proxy)."
    )

    static let configurationChanged = Problem(
        status: 421,
        token: .httpRequestError,
        detail:
            "The proxy's configuration was reloaded, and does not allow this connection any more. Connect anew: the answer "
            + "to CONNECT then says why."
    )

    static let traceRefused = Problem(
        status: 501,
        token: .httpRequestError,
        detail: "TRACE is not forwarded: its answer would show the signature that the proxy added."
    )

    static let otherConnectRefused = Problem(
        status: 501,
        token: .httpRequestError,
        detail: "The method that opens a tunnel is CONNECT, in capitals; no other case of it is forwarded."
    )

    static func repeatedField(_ field: KnownField) -> Problem {
        let name =
            switch field {
            case .paraphAccount: "Paraph-Account"
            case .authorization: "Authorization"
            default: "Proxy-Authorization"
            }
        return Problem(
            status: 400,
            token: .httpRequestError,
            detail: "The request has more than one \(name) field. Send one."
        )
    }

    static func bodyTooLarge(limit: Int) -> Problem {
        Problem(
            status: 413,
            token: .httpRequestError,
            detail:
                "This body takes part in the signature, and is larger than the \(limit) bytes that are collected for it. Raise signing.max_body for this API."
        )
    }

    static func unsignable(_ error: SigningError) -> Problem {
        Problem(status: 400, token: .httpRequestError, detail: "The request cannot be signed: \(error)")
    }

    static func needsLogin(api: String, account: String) -> Problem {
        Problem(
            status: 403,
            token: .httpRequestDenied,
            detail:
                "The account \(account) of API \(api) has no token yet, and a person has to allow it one. Run: \(LoginCommand.text(api: api, account: account))"
        )
    }

    static func unsendableToken(api: String, account: String) -> Problem {
        Problem(
            status: 502,
            token: .httpRequestDenied,
            detail:
                "The token of account \(account) of API \(api) has characters that no header field may have. Check where it comes from."
        )
    }

    static let requestTimeout = Problem(
        status: 408,
        token: .httpRequestError,
        detail: "The rest of the request did not come in time (timeouts.request_header, timeouts.idle)."
    )

    static let bodyTooSlow = Problem(
        status: 408,
        token: .httpRequestError,
        detail:
            "The body, which is held until it is whole because it takes part in the signature, came too slowly: "
            + "each 10,000 bytes of it have 20 s."
    )

    /// - Parameters:
    ///   - client: Its name or address.
    ///   - held: Connections of its own, and those upstream for it.
    ///   - used: Those of all clients.
    static func openConnectionsUsedUp(of client: String, held: Int, used: Int, capacity: Int) -> Problem {
        Problem(
            status: 503,
            token: .connectionLimitReached,
            detail:
                "No further connection is made for \(client), which has \(held) of \(used) that are open; this process "
                + "may have \(capacity), shared by all clients. Try again shortly, or raise the limit of open files "
                + "(LimitNOFILE= of a systemd unit, ulimit -Hn in a shell).",
            retryAfter: 1
        )
    }

    /// - Parameter kind: `upstream connections` or `tunnels`.
    static func tooMany(_ kind: String, of client: String, limit: Int, setting: String) -> Problem {
        Problem(
            status: 503,
            token: .connectionLimitReached,
            detail:
                "\(client) has as many \(kind) as \(setting) allows, \(limit). Try again when one of them has ended, or "
                + "raise the limit.",
            retryAfter: 1
        )
    }

    static func memoryUsedUp(of client: String, held: Int, used: Int, capacity: Int) -> Problem {
        Problem(
            status: 503,
            token: .connectionLimitReached,
            detail:
                "This request would have to be held, and its client, \(client), has \(held) of \(used) bytes that are in "
                + "use; limits.collected, \(capacity), is shared by all clients, and one has a quarter at most while "
                + "others hold any. Try again shortly, or raise the limit.",
            retryAfter: 1
        )
    }

    static func unexpectedUpgrade(authority: String) -> Problem {
        Problem(
            status: 502,
            token: .httpProtocolError,
            detail: "\(authority) switched protocols without having been asked to."
        )
    }

    static let tooManyConnections = Problem(
        status: 503,
        token: .connectionLimitReached,
        detail:
            """
            The proxy has as many connections as limits.connections allows, or your address as many as leave others some. \
            Try again shortly, or raise the limit.
            """,
        retryAfter: 1
    )

    /// - Parameter client: The name of the client; nil where none are configured.
    static func tooManyRequests(ofClient client: String?, limit: Int) -> Problem {
        Problem(
            status: 503,
            token: .connectionLimitReached,
            detail:
                "\(client.map { "The client \($0)" } ?? "This address") has as many requests in flight as "
                + "limits.requests_per_client allows, \(limit). Try again when one of them is answered, or raise the limit.",
            retryAfter: 1
        )
    }

    static func tooManyRequests(toAPI api: String, limit: Int) -> Problem {
        Problem(
            status: 503,
            token: .connectionLimitReached,
            detail:
                "The API \(api) has as many requests in flight as limits.requests_per_api, or requests of the API "
                + "itself, allows, \(limit). Try again when one of them is answered, or raise the limit.",
            retryAfter: 1
        )
    }

    static func tooManyFailedLogins(retryAfter seconds: Int) -> Problem {
        Problem(
            status: 429,
            token: .httpRequestDenied,
            detail:
                "Log-ins from this address have failed too often, and others wait to be checked: this one was not. Try "
                + "again in \(seconds) s, with the name and the password of an entry of access.clients.",
            retryAfter: seconds
        )
    }

    static let tooManyWaiters = Problem(
        status: 503,
        token: .connectionLimitReached,
        detail:
            "As many requests as limits.exchange_waiters allows, or as are this client's share of these, wait for this "
            + "account's token already. Try again shortly.",
        retryAfter: 1
    )

    static let tokenOverdue = Problem(
        status: 503,
        token: .httpRequestDenied,
        detail:
            "This account's token has not come within timeouts.token. It is still being exchanged, by this proxy or by "
            + "another one that shares its vault, or the vault is away: send the request again. `paraph status` tells "
            + "which, and the log says what the provider answers.",
        retryAfter: 1,
        cause: "token_overdue"
    )

    static let stopping = Problem(
        status: 503,
        token: .connectionLimitReached,
        detail: "The proxy is stopping. Send the request again in a few seconds.",
        retryAfter: 5
    )
}
