import Testing

@testable import Credentials

@Suite("Remedies by the kind of account")
struct AccountRemedyTests {
    typealias Context = ProviderDiagnosis.Context
    typealias Cause = ProviderDiagnosis.Cause

    static func sentence(
        _ cause: Cause,
        dialect: ProviderDiagnosis.Dialect = .plain,
        _ change: (inout Context) -> Void
    ) -> String {
        var context = Context(api: "a", account: "2311")
        change(&context)
        return ProviderDiagnosis(cause: cause, dialect: dialect).sentence(context)
    }

    @Test("Nobody with an access token is sent to what signs", arguments: Cause.allCases)
    func accessToken(cause: Cause) {
        let sentence = Self.sentence(cause) {
            $0.authorization = .accessToken
            $0.clockOffset = 4_000
        }
        for word in ["consumer_secret", "signature_method", "placement", "timestamp:", "clock", "body_hash", "realm"] {
            #expect(!sentence.contains(word), "\(sentence)")
        }
        #expect(sentence.count < 300)
    }

    @Test("No two causes have the same sentence with an access token")
    func distinct() {
        let sentences = Cause.allCases.map { cause in Self.sentence(cause) { $0.authorization = .accessToken } }
        #expect(Set(sentences).count == sentences.count)
    }

    @Test("Nobody who is registered is sent to the configuration for a token", arguments: Cause.allCases)
    func enrolled(cause: Cause) {
        for authorization in Context.Authorization.allCases {
            let sentence = Self.sentence(cause) {
                $0.authorization = authorization
                $0.isEnrolled = true
            }
            #expect(!sentence.contains("in the configuration of a/2311"))
            #expect(!sentence.contains("the token's secret of"))
            #expect(!sentence.contains("check the credentials of a/2311"))
        }
    }

    @Test("An enrolled account is to be registered again")
    func registersAgain() {
        #expect(
            Self.sentence(.tokenRefused) { $0.isEnrolled = true }
                == "Token refused: it is expired, revoked or unknown. Register a/2311 again with a new one "
                + "(POST /register)."
        )
        #expect(Self.sentence(.unknown) { $0.isEnrolled = true }.contains("register a/2311 again (POST /register)"))
        #expect(Self.sentence(.signatureInvalid) { $0.isEnrolled = true }.contains("POST /register"))
    }

    @Test("An account without a token has none to check or to change", arguments: Cause.allCases)
    func clientAlone(cause: Cause) {
        let sentence = Self.sentence(cause) { $0.authorization = .clientAlone }
        #expect(!sentence.contains("the token's") && !sentence.contains("new token") && !sentence.contains("new one"))
    }

    @Test("A private key is checked instead of secrets")
    func privateKey() {
        let sentence = Self.sentence(.signatureInvalid) { $0.usesPrivateKey = true }
        #expect(sentence == "Signature invalid: check private_key of a/2311, and signature_method.")
    }

    @Test("A token that a login got is got again")
    func login() {
        let sentence = Self.sentence(.signatureInvalid) { $0.loginCommand = "paraph login a" }
        #expect(sentence.contains("check consumer_secret of a/2311"))
        #expect(sentence.hasSuffix("Run `paraph login a`."))
    }

    @Test(
        "The clock is corrected where that is possible",
        arguments: [
            (.off, "Set this machine's clock, or clock_correction: on."), (.on, "Set this machine's clock."),
            (.clearText, "Set this machine's clock; clock_correction follows none over upstream: http."),
        ] as [(Context.ClockCorrection, String)]
    )
    func clock(correction: Context.ClockCorrection, remedy: String) {
        let sentence = Self.sentence(.timestampRefused) {
            $0.clockOffset = 400
            $0.clockCorrection = correction
        }
        #expect(sentence == "Timestamp refused: the provider's clock is 400 s ahead of this machine's. \(remedy)")
    }

    @Test("A realm is blamed only on NetSuite", arguments: [nil, "api.example.com", "netsuite.com.example.com"])
    func otherHosts(host: String?) {
        #expect(!Self.sentence(.unknown, dialect: .netsuite) { $0.host = host }.contains("Realm"))
        let isTold = { (change: (inout Context) -> Void) in
            Self.sentence(.unknown, dialect: .netsuite, change).hasPrefix("Realm wrong")
        }
        #expect(isTold { $0.host = "1234567.restlets.api.netsuite.com" })
        #expect(isTold { $0.host = "1234567.SuiteTalk.API.NetSuite.com:443" })
        #expect(isTold { $0.realm = "1234567-sb1" })
        #expect(
            !isTold {
                $0.host = "1234567.restlets.api.netsuite.com"
                $0.authorization = .accessToken
            }
        )
    }
}
