import Bytes
import OAuthSigning
import ProviderSimulator

extension ReceivedRequest {
    static let form = "application/x-www-form-urlencoded"

    /// Signed as a client would.
    static func signed(
        _ method: String = "GET",
        _ target: String = "/1.1/statuses.json?q=a%20b",
        contentType: String? = nil,
        body: String = "",
        client: ClientCredentials = TestProvider.application,
        token: TokenCredentials? = TestProvider.userToken,
        options: SigningOptions = SigningOptions(),
        nonce: String = "nonce-1",
        timestamp: UInt64 = TestProvider.now,
        parameters: [(name: String, value: String)] = []
    ) throws -> ReceivedRequest {
        var request = ReceivedRequest(
            method: method,
            target: target,
            authority: "api.test",
            fields: contentType.map { [("Content-Type", $0)] } ?? [],
            body: Array(body.utf8)
        )
        let methodBytes = Array(method.utf8)
        let authority = Array(request.authority.utf8)
        let targetBytes = Array(target.utf8)
        let contentTypeBytes = contentType.map { Array($0.utf8) }
        let nonceBytes = Array(nonce.utf8)
        var scratch = SigningScratch()
        let signed = try Signer(client: client, token: token, options: options).sign(
            method: methodBytes.span,
            scheme: .https,
            authority: authority.span,
            target: targetBytes.span,
            contentType: contentTypeBytes?.span,
            body: request.body.span,
            nonce: nonceBytes.span,
            timestamp: timestamp,
            additionalParameters: parameters.map { ProtocolParameter(name: $0.name, value: $0.value) },
            scratch: &scratch
        )
        if let authorization = signed.authorization {
            request.fields.append(("Authorization", String(decoding: authorization, as: UTF8.self)))
        }
        if let target = signed.target { request.target = String(decoding: target, as: UTF8.self) }
        if let body = signed.body { request.body = body }
        return request
    }

    static func requestToken(
        body: String = "x_auth_mode=reverse_auth",
        token: TokenCredentials? = nil,
        nonce: String = "step-1"
    ) throws -> ReceivedRequest {
        try signed("POST", "/oauth/request_token", contentType: form, body: body, token: token, nonce: nonce)
    }

    static func accessToken(
        parameters: String,
        target: String = "app",
        client: ClientCredentials = TestProvider.platform,
        token: TokenCredentials? = TestProvider.platformToken,
        nonce: String = "step-2"
    ) throws -> ReceivedRequest {
        let encoded = parameters.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return try signed(
            "POST",
            "/oauth/access_token",
            contentType: form,
            body: "x_reverse_auth_target=\(target)&x_reverse_auth_parameters=\(encoded)",
            client: client,
            token: token,
            nonce: nonce
        )
    }
}
