import Credentials
import CryptoExtras
import OAuthSigning
import ParaphConfiguration
import Routing
import Settings
import Testing
import TestSupport

@Suite("Presets")
struct PresetsTests {
    static let names = Preset.all.map(\.name)

    /// The configuration that `paraph presets NAME` prints, with what a user would give.
    private static func load(_ text: String, in directory: borrowing TestDirectory) throws -> Configuration {
        let path = try directory.write(text, to: "paraph.yaml")
        let names = text.matches(of: /env: ([A-Z_]+)/).map { String($0.output.1) }
        return try Configuration.load(
            path: path,
            environment: Dictionary(names.map { ($0, "value-\($0)") }, uniquingKeysWith: { first, _ in first })
        )
    }

    private static let pem = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation }

    private static func withKey() throws -> TestDirectory {
        let directory = try TestDirectory()
        try directory.write(try pem.get(), to: "key.pem")
        return directory
    }

    @Test("have names that differ")
    func unique() {
        #expect(Set(Self.names).count == Self.names.count)
        #expect(Self.names.count >= 11)
        for name in Self.names { #expect(Preset.named(name)?.name == name) }
    }

    @Test("print a configuration that is good as it stands, and gets no warning", arguments: names)
    func printed(_ name: String) throws {
        let preset = try #require(Preset.named(name))
        let configuration = try Self.load(preset.yaml, in: try Self.withKey())
        #expect(configuration.warnings == [])
        let api = try #require(configuration.proxy.apis.first)
        #expect(api.oauth1?.options.signatureMethod == preset.options.signatureMethod)
        #expect(api.oauth1?.timestamps == preset.timestamps)
        #expect(!api.route.hosts.isEmpty)
    }

    @Test("fill just what they print as comments", arguments: names)
    func filled(_ name: String) throws {
        let preset = try #require(Preset.named(name))
        let directory = try Self.withKey()
        let filled = try #require(try Self.load(preset.yaml, in: directory).proxy.apis.first)
        let written = preset.yaml.replacing(/(?m)^( +)# ([a-z_]+: )/) { "\($0.output.1)\($0.output.2)" }
            .replacing(/(?m)^ +preset: .*\n/, with: "")
        #expect(written != preset.yaml)
        let spelledOut = try #require(try Self.load(written, in: directory).proxy.apis.first)
        #expect(filled.route.hosts == spelledOut.route.hosts)
        #expect(filled.oauth1?.options == spelledOut.oauth1?.options)
        #expect(filled.oauth1?.timestamps == spelledOut.oauth1?.timestamps)
        #expect("\(filled.accounts.map(\.source))" == "\(spelledOut.accounts.map(\.source))")
    }

    @Test("are listed with hosts, method and ways to a token", arguments: names)
    func listed(_ name: String) throws {
        let preset = try #require(Preset.named(name))
        let line = try #require(PresetTable.text().split(separator: "\n").first { $0.hasPrefix("\(name) ") })
        #expect(line.contains(preset.options.signatureMethod.rawValue))
        #expect(line.contains(preset.hosts.first ?? preset.hostExample))
        #expect(preset.ways.allSatisfy { line.contains($0.rawValue) })
        #expect(preset.signatureMethods.first == preset.options.signatureMethod)
        #expect(preset.source.hasPrefix("https://"))
    }

    @Test("give way to whatever the file says")
    func overridden() throws {
        let api = try #require(
            try read(
                """
                apis:
                  t:
                    preset: twitter
                    hosts: ["127.0.0.1:8443"]
                    oauth1:
                      consumer_key: k
                      consumer_secret: s
                      signature_method: HMAC-SHA256
                      timestamp: monotonic
                    accounts:
                      carol: {three_legged: {callback: loopback, access_token_url: "https://127.0.0.1:8443/x"}}
                      alice: {reverse_auth: {signed_as: {consumer_key: a, consumer_secret: b, token: c, token_secret: d}}}
                      bob: {xauth: {username: a, password: b}}
                """
            ).proxy.apis.first
        )
        #expect(api.route.hosts.map(\.description) == ["127.0.0.1:8443"])
        #expect(api.oauth1?.options.signatureMethod == .hmacSHA256)
        #expect(api.oauth1?.timestamps == .monotonic)
        guard case .threeLegged(let carol) = api.accounts[0].source,
            case .reverseAuth(let alice) = api.accounts[1].source, case .xAuth(let bob) = api.accounts[2].source
        else {
            Issue.record("\(api.accounts.map(\.source))")
            return
        }
        #expect(carol.callback == .loopback)
        #expect(carol.requestTokenURL == "https://127.0.0.1:8443/oauth/request_token")
        #expect(carol.authorizeURL == "https://127.0.0.1:8443/oauth/authorize")
        #expect(carol.accessTokenURL == "https://127.0.0.1:8443/x")
        #expect(alice.requestTokenURL == "https://127.0.0.1:8443/oauth/request_token")
        #expect(alice.accessTokenURL == "https://127.0.0.1:8443/oauth/access_token")
        #expect(bob.accessTokenURL == "https://127.0.0.1:8443/oauth/access_token")
    }

    @Test("make NetSuite's realm and addresses from the account's host")
    func netSuite() throws {
        let api = try #require(
            try read(
                """
                apis:
                  n:
                    preset: netsuite
                    hosts: [1234567-sb1.restlets.api.netsuite.com, 1234567-sb1.suitetalk.api.netsuite.com]
                    oauth1: {consumer_key: k, consumer_secret: s}
                    accounts: {default: {three_legged: {callback: "http://localhost:8090/"}}}
                """
            ).proxy.apis.first
        )
        #expect(api.oauth1?.options == SigningOptions(signatureMethod: .hmacSHA256, realm: "1234567_SB1"))
        #expect(api.oauth1?.timestamps == .monotonic)
        guard case .threeLegged(let settings)? = api.accounts.first?.source else {
            Issue.record("\(api.accounts)")
            return
        }
        #expect(settings.requestTokenURL == "https://1234567-sb1.restlets.api.netsuite.com/rest/requesttoken")
        #expect(
            settings.authorizeURL == "https://1234567-sb1.app.netsuite.com/app/login/secure/authorizetoken.nl"
        )
        #expect(settings.accessTokenURL == "https://1234567-sb1.restlets.api.netsuite.com/rest/accesstoken")
    }
}
