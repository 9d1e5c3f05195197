import Credentials
import OAuthSigning
import ParaphConfiguration
import Routing
import Settings
import Testing

@Suite("Enrolment")
struct EnrolmentTests {
    /// Three APIs, one of each scheme, without accounts, and what follows.
    private static func yaml(_ lines: String) -> String {
        """
        apis:
          one: {hosts: [one.example.com], oauth1: {consumer_key: k, consumer_secret: s}}
          two:
            hosts: [two.example.com]
            oauth2: {token_url: https://two.example.com/t, client_id: c, client_secret: s}
            accounts: {}
          bear: {hosts: [bear.example.com], bearer: , accounts: }
        \(lines)

        """
    }

    private static let types = """
        enrolment:
          access_types:
            0: {api: two}
            1: {api: bear, verify_url: https://bear.example.com/me}
            2: {api: one, verify_url: https://one.example.com/me, id: id_str}
        """

    @Test("is read, into APIs that need no account of their own")
    func targets() throws {
        let configuration = try read(Self.yaml(Self.types))
        let enrolment = try #require(configuration.proxy.enrolment)
        #expect(enrolment.token == nil)
        let password = try #require(enrolment.targets[.password])
        #expect(password.api == 1)
        #expect(password.verifyURL == nil)
        let bearer = try #require(enrolment.targets[.bearer])
        #expect(bearer.api == 2)
        #expect(bearer.verifyURL == "https://bear.example.com/me")
        #expect(bearer.idMember == "id")
        #expect(enrolment.targets[.oauth1]?.api == 0)
        #expect(enrolment.targets[.oauth1]?.idMember == "id_str")
        #expect(configuration.proxy.apis.allSatisfy { $0.accounts.isEmpty && $0.route.acceptsEnrolled })
        #expect(configuration.summary.contains("enrolment into two, bear, one"))
    }

    @Test("is off unless it is written, and an API needs an account then")
    func off() throws {
        #expect(try read(Minimal.yaml).proxy.enrolment == nil)
        #expect(try read(Minimal.yaml).proxy.apis.first?.route.acceptsEnrolled == false)
        #expect(mistakes(Self.yaml("").utf8).count == 3)
    }

    @Test("needs the admin listener, and its token where others reach that")
    func token() throws {
        let open = "listen: {admin: 0.0.0.0:8081}\n"
        #expect(mistakes((open + Self.yaml(Self.types)).utf8).count == 1)
        let withToken = Self.types.replacing("enrolment:\n", with: "enrolment:\n  token: abc\n")
        let configuration = try read(open + Self.yaml(withToken))
        #expect(configuration.proxy.enrolment?.token == Secret("abc"))
        #expect(configuration.admin?.token == Secret("abc"))
        #expect(mistakes(("listen: {admin: off}\n" + Self.yaml(Self.types)).utf8).count == 1)
        let twice = "listen: {admin: {address: 0.0.0.0:8081, token: x}}\n" + Self.yaml(withToken)
        #expect(
            mistakes(twice.utf8) == ["1:48: listen.admin.token is written as enrolment.token too; keep one of them"]
        )
    }

    @Test("lets a client be confined to accounts that are not there yet")
    func confined() {
        let access = "access: {clients: [{name: c, password: p, apis: [one], accounts: [later]}]}\n"
        #expect(mistakes((access + Self.yaml(Self.types)).utf8) == [])
        #expect(mistakes((access + Minimal.yaml.replacing("  t:", with: "  one:")).utf8).count == 1)
    }
}
