import Credentials
import OAuthSigning
import Testing

/// A provider of three-legged authorization: what it is asked and what it answers.
struct AuthorizationScene: Decodable, CustomTestStringConvertible {
    struct Parameter: Decodable {
        var name, value: String
    }

    var name, requestTokenUrl, authorizeUrl, accessTokenUrl, callback: String
    var authorizeParameters: [Parameter]?
    var signatureMethod: String
    var realm: String?
    /// The answer with the temporary credentials, and where the person goes.
    var temporary, address: String
    /// The token that comes back to the callback; nil where the person types the verifier.
    var returnedToken: String?
    var verifier: String
    /// The answer with the token credentials, and what is in it.
    var answer, token, tokenSecret: String
    var attributes: [String: String]

    var testDescription: String { name }

    static let clientSecret = "Client&Secret/1"

    static func all() throws -> [AuthorizationScene] {
        try ExchangeFixture.json("three-legged-providers")
    }

    static func discogs() throws -> AuthorizationScene {
        try #require(try all().first)
    }

    var settings: ThreeLeggedSettings {
        ThreeLeggedSettings(
            requestTokenURL: requestTokenUrl,
            authorizeURL: authorizeUrl,
            accessTokenURL: accessTokenUrl,
            authorizeParameters: (authorizeParameters ?? []).map { ($0.name, $0.value) }
        )
    }

    func oauth1() throws -> OAuth1Settings {
        let method = try #require(SignatureMethod(rawValue: signatureMethod))
        return OAuth1Settings(
            client: ClientCredentials(
                identifier: "client",
                sharedSecret: Secret(Self.clientSecret),
                privateKey: method.isRSA ? try RSASigningKey(pem: Secret(ExchangeFixture.text("rsa-1024", "pem"))) : nil
            ),
            options: SigningOptions(signatureMethod: method, realm: realm)
        )
    }

    func authorization(acceptsVersion10: Bool = false) throws -> ThreeLeggedAuthorization {
        var settings = settings
        settings.acceptsVersion10 = acceptsVersion10
        return ThreeLeggedAuthorization(settings: settings, oauth1: try oauth1())
    }

    /// Returns an authorization that has come to where the person is asked.
    func authorizing(acceptsVersion10: Bool = false) throws -> ThreeLeggedAuthorization {
        var authorization = try authorization(acceptsVersion10: acceptsVersion10)
        _ = try authorization.start(callback: callback, nonce: "n1", timestamp: 1)
        _ = try authorization.receiveTemporaryCredentials(Self.page(temporary))
        return authorization
    }

    /// Returns an answer of the type that these providers give theirs.
    static func page(_ body: String, status: Int = 200) -> ExchangeResponse {
        ExchangeResponse(
            status: status,
            fields: [("Content-Type", "text/html; charset=utf-8")],
            body: Array(body.utf8)
        )
    }

    /// Returns what the provider makes of a request.
    func verified(_ request: ExchangeRequest, tokenSecret: @escaping (String) -> Secret?) throws -> VerifiedRequest {
        let authorization = request.fields.first { $0.0 == "Authorization" }?.1
        let bytes = Array(try #require(authorization).utf8)
        let key = try oauth1().client.privateKey?.verificationKey
        return try SignatureVerification.verify(
            method: Array(request.method.utf8).span,
            scheme: request.destination.scheme,
            authority: Array(request.destination.authority.utf8).span,
            target: Array(request.destination.target.utf8).span,
            contentType: nil,
            body: request.body.span,
            authorization: bytes.span,
            clientSecret: { $0 == "client" ? Secret(Self.clientSecret) : nil },
            tokenSecret: tokenSecret,
            clientKey: { _ in key }
        ).get()
    }
}
