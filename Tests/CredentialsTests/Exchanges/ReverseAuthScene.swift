import Credentials
import OAuthSigning
import Testing

/// An exchange with secrets that occur nowhere by chance, and what a provider sees of it.
struct ReverseAuthScene {
    static let requestTokenURL = "https://api.provider.example/oauth/request_token"
    static let accessTokenURL = "https://api.provider.example:8443/oauth/access_token?x=%2f&y"
    static let client = ClientCredentials(identifier: "app key+1", sharedSecret: Secret("App&Secret/1 ä"))
    static let platformClient = ClientCredentials(identifier: "platform", sharedSecret: Secret("Platform<Secret>\"2\\"))
    static let platformToken = TokenCredentials(token: "platform-token", secret: Secret("TokenSecret=3"))
    /// The signed parameters: not UTF-8 throughout, with a line end, and nothing that survives a rewriting.
    static let parameters =
        Array("OAuth oauth_nonce=\"a b\", oauth_signature=\"c%2Fd%3d\",  x=\"&+%\"\u{e9}\r\n".utf8) + [0xFF]

    static var settings: ReverseAuthSettings {
        ReverseAuthSettings(
            requestTokenURL: requestTokenURL,
            accessTokenURL: accessTokenURL,
            signedAs: (client: platformClient, token: platformToken)
        )
    }

    var exchange = ReverseAuthExchange(settings: settings, client: client)

    mutating func start() throws -> ExchangeRequest {
        try exchange.start(nonce: "nonce-1", timestamp: 1_000)
    }

    mutating func receive(_ status: Int, _ body: [UInt8], fields: [(String, String)] = []) -> ExchangeOutcome {
        exchange.receive(
            ExchangeResponse(status: status, fields: fields, body: body),
            nonce: "nonce-2",
            timestamp: 2_000
        )
    }

    /// Goes on until step 2 is out.
    mutating func startStep2(parameters: [UInt8] = Self.parameters) throws -> ExchangeRequest {
        _ = try start()
        guard case .send(let request) = receive(200, parameters) else {
            throw Unexpected()
        }
        return request
    }

    /// The exchange at a step, and what an answer to it leads to.
    static func failure(step: Int, _ response: ExchangeResponse) throws -> ExchangeFailure {
        var scene = ReverseAuthScene()
        _ = step == 1 ? try scene.start() : try scene.startStep2()
        guard case .failed(let failure) = scene.exchange.receive(response, nonce: "n", timestamp: 1) else {
            throw Unexpected()
        }
        return failure
    }

    struct Unexpected: Error {}

    /// Returns what the provider makes of a request.
    static func verified(_ request: ExchangeRequest) throws -> VerifiedRequest {
        let fields = Dictionary(request.fields, uniquingKeysWith: { $0 + "," + $1 })
        let authorization = Array(try #require(fields["Authorization"]).utf8)
        let contentType = Array(try #require(fields["Content-Type"]).utf8)
        return try SignatureVerification.verify(
            method: Array(request.method.utf8).span,
            scheme: request.destination.scheme,
            authority: Array(request.destination.authority.utf8).span,
            target: Array(request.destination.target.utf8).span,
            contentType: contentType.span,
            body: request.body.span,
            authorization: authorization.span,
            clientSecret: { key in
                [client, platformClient].first { $0.identifier == key }?.sharedSecret
            },
            tokenSecret: { $0 == platformToken.token ? platformToken.secret : nil }
        ).get()
    }
}
