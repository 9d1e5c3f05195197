import Credentials
import OAuthSigning

/// Claims against the providers that the contract names, and what comes of an answer.
enum EnrolmentScene {
    static let verifyURL = "https://api.provider.example/1.1/account/verify_credentials.json?skip_status=true"
    static let client = ClientCredentials(identifier: "app key", sharedSecret: Secret("Consumer&Secret/1"))
    static let passcode = "7-Token:Token:Secret="

    static func target(
        _ verifyURL: String? = verifyURL,
        idMember: String = "id_str"
    ) -> EnrolmentSettings.Target {
        EnrolmentSettings.Target(api: 0, verifyURL: verifyURL, idMember: idMember)
    }

    static func signed(
        passkey: String = "7",
        passcode: String = passcode,
        target: EnrolmentSettings.Target = target(),
        options: SigningOptions = SigningOptions()
    ) -> EnrolmentCheck {
        EnrolmentCheck(
            claim: EnrolmentClaim(accessType: .oauth1, passkey: passkey, passcode: Secret(passcode)),
            target: target,
            scheme: .oauth1(OAuth1Settings(client: client, options: options))
        )
    }

    static func bearer(
        passkey: String = "7",
        passcode: String = "Access-Token-9",
        target: EnrolmentSettings.Target = target(idMember: "id"),
        scheme: AuthorizationScheme = .bearer(.bearer)
    ) -> EnrolmentCheck {
        EnrolmentCheck(
            claim: EnrolmentClaim(accessType: .bearer, passkey: passkey, passcode: Secret(passcode)),
            target: target,
            scheme: scheme
        )
    }

    struct Unexpected: Error {
        let progress: ExchangeProgress<EnrolmentOutcome>
    }

    static func start(_ check: inout EnrolmentCheck) throws -> ExchangeRequest {
        let progress = check.start(nonce: "nonce-1", timestamp: 1_000)
        guard case .send(let request) = progress else { throw Unexpected(progress: progress) }
        return request
    }

    /// Returns what the first request's answer leads to.
    static func answer(
        _ check: EnrolmentCheck,
        _ status: Int,
        _ body: String,
        fields: [(String, String)] = []
    ) throws -> ExchangeProgress<EnrolmentOutcome> {
        var check = check
        _ = try start(&check)
        return check.receive(
            ExchangeResponse(status: status, fields: fields, body: Array(body.utf8)),
            nonce: "nonce-2",
            timestamp: 2_000
        )
    }
}

extension ExchangeProgress<EnrolmentOutcome> {
    private var outcome: EnrolmentOutcome? {
        switch self {
        case .ended(let outcome), .clockRefused(let outcome): outcome
        case .send: nil
        }
    }

    var verified: StoredCredential? {
        if case .verified(let credential) = outcome { credential } else { nil }
    }

    var refusal: String? {
        if case .refused(let detail) = outcome { detail } else { nil }
    }

    var unavailability: String? {
        if case .unavailable(let detail) = outcome { detail } else { nil }
    }
}
