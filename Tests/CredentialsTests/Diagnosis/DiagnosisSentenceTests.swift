import Testing

@testable import Credentials

@Suite("Sentences of a diagnosis")
struct DiagnosisSentenceTests {
    static func sentence(
        _ diagnosis: ProviderDiagnosis,
        _ change: (inout ProviderDiagnosis.Context) -> Void = { _ in }
    ) -> String {
        var context = ProviderDiagnosis.Context(api: "discogs", account: "alice")
        change(&context)
        return diagnosis.sentence(context)
    }

    static func plain(_ cause: ProviderDiagnosis.Cause, words: String = "") -> ProviderDiagnosis {
        ProviderDiagnosis(cause: cause, dialect: .plain, words: words)
    }

    @Test(
        "Each cause has a sentence of printable ASCII with what to do, as short as a field takes it",
        arguments: ProviderDiagnosis.Cause.allCases
    )
    func causes(cause: ProviderDiagnosis.Cause) {
        let long = String(repeating: "a long word ", count: 16)
        for words in ["", "no \"way\"", "é…\u{1F600}", long] {
            for names in [[], ["oauth_token"], (0..<16).map { "oauth_parameter_\($0)" + long }] {
                var diagnosis = Self.plain(cause, words: words)
                diagnosis.missingParameters = names
                diagnosis.rejectedParameters = names
                diagnosis.acceptableTimestamps = .min ... .max
                diagnosis.acceptableVersions = "1.0-1.0"
                diagnosis.realm = long
                for command in [nil, "paraph login discogs --account alice"] {
                    let sentence = Self.sentence(diagnosis) {
                        $0.loginCommand = command
                        $0.clockOffset = .min
                        $0.realm = long
                    }
                    #expect(sentence.count <= 300)
                    #expect(sentence.utf8.allSatisfy { 0x20...0x7E ~= $0 })
                    #expect(sentence.first?.isUppercase == true)
                }
            }
        }
    }

    @Test("A server that asks for a name and a password is told from a provider that gives no reason")
    func otherScheme() {
        func sentence(_ challenges: String) -> String {
            let diagnosis = ProviderDiagnosis.read(
                status: 401,
                fields: [("WWW-Authenticate", challenges)],
                body: Array("<h1>Authorization Required</h1>".utf8),
                secrets: []
            )
            return diagnosis.map { Self.sentence($0) } ?? ""
        }
        let basic = sentence("Basic realm=\"staging\"")
        #expect(basic.contains("asks for a name and a password (WWW-Authenticate: Basic)"))
        for challenges in ["OAuth realm=\"api\", Basic realm=\"api\"", "Custom x=\"y\""] {
            #expect(sentence(challenges).contains("does not say why"))
        }
    }

    @Test("What a refusal may mean besides is told where the provider says the same to others")
    func otherMeanings() {
        var diagnosis = Self.plain(.permissionDenied)
        diagnosis.dialect = .magento
        #expect(Self.sentence(diagnosis).hasSuffix("A guest is told the same: some hosts drop Authorization."))
        diagnosis = Self.plain(.parameterRejected)
        diagnosis.rejectedParameters = ["oauth_callback"]
        #expect(Self.sentence(diagnosis).hasPrefix("Callback refused: oauth_callback of the request"))
        let login = Self.sentence(diagnosis) { $0.loginCommand = "paraph login discogs" }
        #expect(login.contains("set callback of discogs/alice to one that is registered"))
        let kind = Self.sentence(Self.plain(.authenticationUnsupported)) { $0.authorization = .accessToken }
        #expect(kind.hasPrefix("Kind of credentials refused: discogs/alice carries an access token"))
    }

    @Test("No two causes have the same sentence")
    func distinct() {
        let sentences = ProviderDiagnosis.Cause.allCases.map { Self.sentence(Self.plain($0)) }
        #expect(Set(sentences).count == sentences.count)
    }

    @Test("The provider's words follow, as far as there is room")
    func words() {
        let sentence = Self.sentence(Self.plain(.limited, words: "Rate limit exceeded"))
        #expect(sentence == "The provider allows no more requests for now: wait. It said: Rate limit exceeded")
        let long = Self.sentence(Self.plain(.nonceUsed, words: String(repeating: "x", count: 200)))
        #expect(long.count == 300 && long.hasSuffix("xxx..."))
    }

    // MARK: Clock

    @Test(
        "A clock that is off is told with the seconds and the direction",
        arguments: [
            (412, "the provider's clock is 412 s ahead of this machine's"),
            (-412, "the provider's clock is 412 s behind this machine's"),
        ]
    )
    func clock(offset: Int64, words: String) {
        let sentence = Self.sentence(Self.plain(.timestampRefused)) { $0.clockOffset = offset }
        #expect(sentence.hasPrefix("Timestamp refused: \(words). Set this machine's clock"))
    }

    @Test("Clocks that agree are not blamed", arguments: [nil, 0, 5, -5])
    func agreeingClocks(offset: Int64?) {
        var diagnosis = Self.plain(.timestampRefused)
        diagnosis.acceptableTimestamps = 100...200
        let sentence = Self.sentence(diagnosis) { $0.clockOffset = offset }
        #expect(sentence.contains("(it takes 100 to 200)"))
        #expect(sentence.contains("timestamp: monotonic"))
    }

    @Test(
        "A clock far off is suspected where the provider does not say why",
        arguments: [ProviderDiagnosis.Cause.signatureInvalid, .unknown]
    )
    func suspectedClock(cause: ProviderDiagnosis.Cause) {
        let diagnosis = Self.plain(cause)
        #expect(Self.sentence(diagnosis) { $0.clockOffset = 400 }.contains("400 s ahead of this machine's"))
        #expect(!Self.sentence(diagnosis) { $0.clockOffset = 60 }.contains("clock"))
    }

    // MARK: Tokens

    @Test("A refused token is told with the command that gets another, where one does")
    func token() {
        let diagnosis = Self.plain(.tokenRefused, words: "expired token")
        let command = "paraph login discogs --account alice"
        #expect(
            Self.sentence(diagnosis) { $0.loginCommand = command }
                == "Token refused: it is expired, revoked or unknown. Run `\(command)`. It said: expired token"
        )
        #expect(
            Self.sentence(diagnosis) { $0.isRenewable = true }.contains("A new one is had for discogs/alice by itself.")
        )
        #expect(Self.sentence(diagnosis).contains("Put a new one in the configuration of discogs/alice."))
    }

    // MARK: Realm

    static func netsuite(_ cause: ProviderDiagnosis.Cause = .unknown, realm: String? = nil) -> ProviderDiagnosis {
        ProviderDiagnosis(cause: cause, dialect: .netsuite, realm: realm)
    }

    @Test(
        "A realm that is no account id, or another, is told",
        arguments: [
            (nil, nil), ("1234567-sb1", nil), ("1234567_sb1", nil), ("1234567", "7654321"),
            ("1234567_SB1", "1234567"),
        ] as [(String?, String?)]
    )
    func wrongRealm(own: String?, theirs: String?) {
        let diagnosis = Self.netsuite(realm: theirs)
        var context = ProviderDiagnosis.Context(api: "netsuite", account: "a")
        context.host = "1234567.restlets.api.netsuite.com"
        context.realm = own
        #expect(diagnosis.cause(in: context) == .realmWrong)
        let sentence = diagnosis.sentence(context)
        #expect(sentence.hasPrefix("Realm wrong: netsuite sends \(own.map { "\"\($0)\"" } ?? "none")."))
        #expect(sentence.contains("1234567_SB1"))
        if let theirs { #expect(sentence.contains("The provider's is \"\(theirs)\".")) }
    }

    @Test("A realm that is right, and those of other providers and causes, are not blamed")
    func otherRealms() {
        var context = ProviderDiagnosis.Context(api: "netsuite", account: "a")
        context.realm = "1234567_SB1"
        #expect(Self.netsuite().cause(in: context) == .unknown)
        #expect(Self.netsuite(realm: "1234567_SB1").cause(in: context) == .unknown)
        context.realm = "x-y"
        #expect(Self.netsuite(.consumerKeyUnknown).cause(in: context) == .consumerKeyUnknown)
        #expect(Self.plain(.unknown).cause(in: context) == .unknown)
    }

    // MARK: Base strings

    static let ours = "GET&http%3A%2F%2Fa.example%2Fx&a%3D1%26b%3D2%26oauth_nonce%3Dn"

    @Test(
        "Where the base strings part is told, without values",
        arguments: [
            ("POST&http%3A%2F%2Fa.example%2Fx&a%3D1%26b%3D2%26oauth_nonce%3Dn", "the method."),
            ("GET&https%3A%2F%2Fa.example%2Fx&a%3D1%26b%3D2%26oauth_nonce%3Dn", "the address (scheme,"),
            ("GET&http%3A%2F%2Fa.example%2Fx&a%3D1%26b%3D3%26oauth_nonce%3Dn", "the value of parameter b."),
            (
                "GET&http%3A%2F%2Fa.example%2Fx&a%3D1%26oauth_nonce%3Dn",
                "parameter oauth_nonce there, parameter b here."
            ),
            ("GET&http%3A%2F%2Fa.example%2Fx&a%3D1%26b%3D2%26c%3D3%26oauth_nonce%3Dn", "parameter c there"),
        ]
    )
    func parting(theirs: String, place: String) {
        var diagnosis = Self.plain(.signatureInvalid)
        diagnosis.expectedBaseString = theirs
        let sentence = Self.sentence(diagnosis) { $0.baseString = Self.ours }
        #expect(sentence.contains("First difference: \(place)"))
    }

    @Test("Where they are the same, a secret is wrong")
    func same() {
        var diagnosis = Self.plain(.signatureInvalid)
        diagnosis.expectedBaseString = Self.ours
        let sentence = Self.sentence(diagnosis) { $0.baseString = Self.ours }
        #expect(sentence.contains("the same base string, so that a secret of discogs/alice is wrong"))
    }
}
