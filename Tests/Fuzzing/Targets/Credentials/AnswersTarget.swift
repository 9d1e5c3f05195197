import OAuthSigning

@testable import Credentials

/// Answers of providers to the requests of every exchange, and to requests that were signed: none of the known secrets
/// is in what is told of them, or kept beside the token.
///
/// The input is a byte for the exchange, one for the status, the value of WWW-Authenticate after its length, and the
/// body.
enum AnswersTarget: FuzzTarget {
    static let name = "answers"

    private static let statuses = [200, 400, 401, 403, 404, 429, 500, 302, 201, 422, 503, 100]

    static func check(_ input: [UInt8]) {
        var reader = InputReader(input)
        let choice = reader.byte()
        let status = reader.pick(statuses)
        let challenge = String(decoding: reader.stretch(), as: UTF8.self)
        let body = reader.remainder()
        let response = ExchangeResponse(
            status: status,
            fields: challenge.isEmpty ? [] : [("WWW-Authenticate", challenge), ("Location", challenge)],
            body: body
        )
        // Those that the exchange knows.
        let secrets = Array(
            [ExchangeSetting.clientSecret, ExchangeSetting.password, ExchangeSetting.refreshToken]
                .prefix([2, 3, 1, 0, 3, 3][Int(choice % 6)])
        )
        do throws(ExchangeFailure) {
            switch choice % 6 {
            case 0:
                var exchange = XAuthExchange(
                    settings: XAuthSettings(
                        accessTokenURL: "https://api.example.com/token",
                        login: ExchangeSetting.login
                    ),
                    oauth1: ExchangeSetting.oauth1
                )
                _ = try exchange.start(nonce: "n", timestamp: 1)
                judge(exchange.receive(response, timestamp: 1), secrets)
            case 1:
                var exchange = PasswordGrantExchange(
                    settings: ExchangeSetting.oauth2,
                    login: ExchangeSetting.login,
                    stored: stored
                )
                _ = try exchange.start()
                judge(exchange.receive(response, timestamp: 1), secrets)
            case 2:
                var authorization = ThreeLeggedAuthorization(
                    settings: ExchangeSetting.threeLegged,
                    oauth1: ExchangeSetting.oauth1
                )
                _ = try authorization.start(callback: "oob", nonce: "n", timestamp: 1)
                let address = try authorization.receiveTemporaryCredentials(response)
                require(address.utf8.allSatisfy { 0x21..<0x7F ~= $0 }, "an address that cannot be opened: \(address)")
                let token = authorization.temporaryToken
                _ = try authorization.finish(token: token, verifier: Secret("v"), nonce: "n", timestamp: 1)
                judge(.obtained(try authorization.receiveToken(response, timestamp: 1)), secrets)
            case 3:
                let reply = CallbackReply(query: String(decoding: body, as: UTF8.self))
                require(!reply.isDenied || reply.verifier == nil, "denied, with a verifier")
                _ = CallbackReply(typed: String(decoding: body, as: UTF8.self))
            default:
                diagnose(response, choice, secrets)
            }
        } catch {
            tell(error, secrets)
        }
    }

    private static var stored: StoredCredential {
        StoredCredential(
            token: .access(
                AccessToken(Secret("s3cr3tT0k3n55555"), refreshToken: Secret(ExchangeSetting.refreshToken))
            ),
            obtainedAt: 0
        )
    }

    private static func has(_ secrets: [String], _ text: String) -> Bool {
        secrets.contains { text.contains($0) }
    }

    private static func judge(_ outcome: ExchangeOutcome, _ secrets: [String]) {
        switch outcome {
        case .send: return
        case .failed(let failure): tell(failure, secrets)
        case .obtained(let credential):
            for (name, value) in credential.attributes {
                require(!has(secrets, name + value), "kept beside the token: \(name)=\(value)")
            }
            let bytes = credential.encoded()
            let copy = StoredCredential(encoded: bytes, version: 3)
            require(copy == credential, "not stored as it was obtained")
        }
    }

    private static func tell(_ failure: ExchangeFailure, _ secrets: [String]) {
        require(!has(secrets, failure.detail), "told: \(failure.detail)")
        require(failure.words.unicodeScalars.count <= 201, "\(failure.words.unicodeScalars.count) characters")
    }

    private static func diagnose(_ response: ExchangeResponse, _ choice: UInt8, _ secrets: [String]) {
        guard
            let diagnosis = ProviderDiagnosis.read(
                status: response.status,
                fields: response.fields,
                body: response.body,
                secrets: secrets.map { Secret($0) }
            )
        else { return }
        for authorization in ProviderDiagnosis.Context.Authorization.allCases {
            let sentence = diagnosis.sentence(
                ProviderDiagnosis.Context(
                    api: "api",
                    account: "account",
                    authorization: authorization,
                    clockCorrection: choice & 64 == 0 ? .on : .off,
                    baseString: "GET&https%3A%2F%2Fapi.example.com%2F&a%3Db"
                )
            )
            require(sentence.utf8.allSatisfy { 0x20..<0x7F ~= $0 } && sentence.utf8.count <= 300, "told: \(sentence)")
            require(!has(secrets, sentence), "told: \(sentence)")
        }
        let parts =
            [diagnosis.words, diagnosis.realm ?? "", diagnosis.acceptableVersions ?? ""] + diagnosis.missingParameters
            + diagnosis.rejectedParameters + [diagnosis.expectedBaseString ?? ""]
        for part in parts { require(!has(secrets, part), "repeated: \(part)") }
    }
}
