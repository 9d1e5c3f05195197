import Routing

extension Problem {
    /// The answer to a request that routing does not let through.
    init(_ refusal: Refusal) {
        self.init(
            status: refusal.status,
            token: ProxyErrorToken(rawValue: refusal.proxyStatusError) ?? .httpRequestDenied,
            detail: "\(refusal)"
        )
    }

    static let notAProxyRequest = Problem(
        status: 400,
        token: .httpRequestError,
        detail:
            "This is a forward proxy, and the request names no host to go to. Set HTTPS_PROXY and HTTP_PROXY to this address in the client, or give curl the option --proxy, instead of using it as a web server."
    )

    static let hostDiffersFromConnect = Problem(
        status: 421,
        token: .httpRequestError,
        detail: "CONNECT names one host and the Host field another. Send a Host field that says the same."
    )

    static let schemeDiffersFromConnection = Problem(
        status: 421,
        token: .httpRequestError,
        detail: "The request's :scheme is not https, though it came by TLS. Send the scheme of the URL."
    )

    static let connectInsideTLS = Problem(
        status: 400,
        token: .httpRequestError,
        detail: "CONNECT inside an intercepted connection is not served."
    )

    static let connectAtGateway = Problem(
        status: 400,
        token: .httpRequestError,
        detail:
            "This is the gateway of one API, which opens no tunnels. Send it requests for the API's paths, or set "
            + "HTTPS_PROXY to the proxy's own address (listen.proxy)."
    )

    static let tlsToGateway = Problem(
        status: 400,
        token: .httpRequestError,
        detail: "The client speaks TLS to the gateway, which listens for plain HTTP. Write its address with http://."
    )

    static let gatewayGone = Problem(
        status: 421,
        token: .httpRequestError,
        detail:
            "The proxy's configuration was reloaded, and has no gateway for this API any more. Take the address from the "
            + "API's gateway in the configuration."
    )

    static func authorizationRefused(api: String, field: String) -> Problem {
        Problem(
            status: 403,
            token: .httpRequestDenied,
            detail:
                "The request has a field \(field) of its own, which signing.on_existing_authorization of API \(api) refuses. Send it without, and the proxy adds the account's."
        )
    }

    static func noLeaf(host: String) -> Problem {
        Problem(
            status: 500,
            token: .proxyInternalError,
            detail: "No certificate could be made for \(host). The proxy's log says why."
        )
    }
}
