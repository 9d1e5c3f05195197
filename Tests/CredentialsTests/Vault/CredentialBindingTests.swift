import OAuthSigning
import Testing

@testable import Credentials

@Suite("The binding of a credential")
struct CredentialBindingTests {
    private static let hosts = ["https://api.test", "https://*.api.test:8443"]
    private static let oauth2 = AuthorizationScheme.oauth2(
        OAuth2Settings(tokenURL: "https://api.test/token", clientID: "app", clientSecret: Secret("s"))
    )

    private static func oauth1(_ key: String = "key", _ secret: String = "s") -> OAuth1Settings {
        OAuth1Settings(client: ClientCredentials(identifier: key, sharedSecret: Secret(secret)))
    }

    private static func login(_ name: String, _ password: String = "p") -> PasswordCredentials {
        PasswordCredentials(username: name, password: Secret(password))
    }

    private static func reverseAuth(client: String, token: String, url: String = "https://api.test/2") -> TokenSource {
        .reverseAuth(
            ReverseAuthSettings(
                requestTokenURL: "https://api.test/1",
                accessTokenURL: url,
                signedAs: (
                    client: ClientCredentials(identifier: client, sharedSecret: Secret("s")),
                    token: TokenCredentials(token: token, secret: Secret("s"))
                )
            )
        )
    }

    private static func threeLegged(_ url: String, _ parameters: [(name: String, value: String)] = []) -> TokenSource {
        .threeLegged(
            ThreeLeggedSettings(
                requestTokenURL: "https://a/",
                authorizeURL: "https://b/",
                accessTokenURL: url,
                authorizeParameters: parameters
            )
        )
    }

    private static func xAuth(_ user: String, _ url: String = "https://api.test/x") -> TokenSource {
        .xAuth(XAuthSettings(accessTokenURL: url, login: login(user)))
    }

    private static func configured(
        _ source: TokenSource,
        _ scheme: AuthorizationScheme = .oauth1(oauth1()),
        own: OAuth1Settings? = nil,
        hosts: [String] = hosts,
        address: String? = nil
    ) -> CredentialBinding? {
        CredentialBinding(
            AccountSettings(name: "default", source: source, oauth1: own),
            scheme: scheme,
            hosts: hosts,
            address: address
        )
    }

    private static func enrolled(
        _ scheme: AuthorizationScheme,
        _ target: EnrolmentSettings.Target? = nil,
        hosts: [String] = hosts,
        address: String? = nil
    ) -> CredentialBinding {
        CredentialBinding(enrolledWith: scheme, verifiedBy: target, hosts: hosts, address: address)
    }

    /// Each differs from every other one in something that says whose a token is, or where it goes.
    private static var different: [CredentialBinding?] {
        var otherToken = OAuth2Settings(tokenURL: "https://other/token", clientID: "app", clientSecret: Secret("s"))
        let elsewhere = otherToken
        otherToken.tokenURL = "https://api.test/token"
        otherToken.clientID = "other"
        var wide = elsewhere
        wide.tokenURL = "https://api.test/token"
        wide.scope = "read write"
        var narrow = wide
        narrow.scope = "10.0.0.1:443"
        return [
            configured(.password(login("alice")), .oauth2(wide)),
            configured(.password(login("alice")), .oauth2(narrow)),
            enrolled(.oauth2(wide)), enrolled(.oauth2(narrow)),
            configured(threeLegged("https://c/", [("scope", "read")])),
            configured(threeLegged("https://c/", [("scope", "read,write")])),
            configured(.password(login("alice")), oauth2), configured(.password(login("bob")), oauth2),
            configured(.password(login("alice")), .oauth2(elsewhere)),
            configured(.password(login("alice")), .oauth2(otherToken)),
            configured(.password(login("alice")), oauth2, hosts: ["https://api.test"]),
            configured(.password(login("alice")), oauth2, hosts: ["http://api.test", "https://*.api.test:8443"]),
            configured(.password(login("alice")), oauth2, address: "10.0.0.1:443"),
            configured(.password(login("alice")), oauth2, address: "10.0.0.2:443"),
            configured(.password(login("alice")), oauth2, hosts: hosts + ["10.0.0.1:443"]),
            configured(xAuth("alice")), configured(xAuth("bob")), configured(xAuth("alice", "https://other/x")),
            configured(xAuth("alice"), .oauth1(oauth1("other"))), configured(xAuth("alice"), own: oauth1("own")),
            configured(reverseAuth(client: "a", token: "b")), configured(reverseAuth(client: "a", token: "c")),
            configured(reverseAuth(client: "ab", token: "")),
            configured(reverseAuth(client: "a", token: "b", url: "https://other/2")),
            configured(threeLegged("https://c/")), configured(threeLegged("https://d/")),
            enrolled(oauth2),
            enrolled(.oauth2(elsewhere)),
            enrolled(.oauth1(oauth1())),
            enrolled(.bearer(.bearer)),
            enrolled(.bearer(.bearer), hosts: ["https://api.test"]),
            enrolled(.bearer(.bearer), address: "10.0.0.1:443"),
            enrolled(.bearer(.bearer), EnrolmentSettings.Target(api: 0, verifyURL: "https://api.test/me")),
            enrolled(.bearer(.bearer), EnrolmentSettings.Target(api: 0, verifyURL: "https://api.test/you")),
            enrolled(
                .bearer(.bearer),
                EnrolmentSettings.Target(api: 0, verifyURL: "https://api.test/me", idMember: "name")
            ),
        ]
    }

    @Test("A credential fits the binding that it was obtained under, and no other")
    func fitsItsOwn() throws {
        let bindings = try Self.different.map { try #require($0) }
        for (place, binding) in bindings.enumerated() {
            let fingerprint = BindingFingerprint(binding)
            for (other, candidate) in bindings.enumerated() {
                #expect(fingerprint.matches(candidate) == (place == other), "\(place), \(other)")
            }
        }
    }

    @Test("Secrets that change, and the order of the hosts, make no difference")
    func ignoresSecrets() throws {
        let one = try #require(Self.configured(Self.xAuth("alice")))
        var source = XAuthSettings(accessTokenURL: "https://api.test/x", login: Self.login("alice", "new"))
        let scheme = AuthorizationScheme.oauth1(Self.oauth1("key", "new"))
        #expect(Self.configured(.xAuth(source), scheme, hosts: Self.hosts.reversed()) == one)
        source.login.username = "Alice"
        #expect(Self.configured(.xAuth(source)) != one)
    }

    @Test("A fingerprint from before bindings had an address fits one without")
    func keepsEarlierFingerprints() throws {
        let binding = try #require(Self.configured(Self.xAuth("alice")))
        // HMAC-SHA256 under 16 zero bytes, by another implementation.
        let code = "50985a7b5992415056607535cce150dc74f4049a1a4b400f2187282c81794a98"
        let fingerprint = BindingFingerprint(
            key: Array(repeating: 0, count: 16),
            code: stride(from: 0, to: 64, by: 2).map { UInt8(code.dropFirst($0).prefix(2), radix: 16) ?? 0 }
        )
        #expect(fingerprint.matches(binding))
    }

    @Test("Two fingerprints of one binding have nothing in common")
    func isKeyed() {
        let binding = Self.enrolled(.bearer(.bearer))
        #expect(BindingFingerprint(binding) != BindingFingerprint(binding))
    }

    @Test("Neither the place of an API nor a member that nobody is asked for makes a difference to enrolled accounts")
    func ignoresPlace() {
        let target = EnrolmentSettings.Target(api: 0, idMember: "name")
        #expect(Self.enrolled(Self.oauth2, target) == Self.enrolled(Self.oauth2))
        let verified = EnrolmentSettings.Target(api: 0, verifyURL: "https://api.test/me")
        let moved = EnrolmentSettings.Target(api: 1, verifyURL: "https://api.test/me")
        #expect(Self.enrolled(.bearer(.bearer), verified) == Self.enrolled(.bearer(.bearer), moved))
    }

    @Test("An account whose token is in the configuration has none")
    func needsVault() {
        let token = TokenCredentials(token: "t", secret: Secret("s"))
        for source in [TokenSource.issued(token), .twoLegged, .bearer(Secret("b"))] {
            #expect(Self.configured(source) == nil)
        }
    }
}
