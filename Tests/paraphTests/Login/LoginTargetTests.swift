import CredentialStores
import Credentials
import OAuthSigning
import ParaphConfiguration
import TestSupport
import Testing

@testable import paraph

@Suite("The account that a login is for")
struct LoginTargetTests {
    private func configuration() throws -> Configuration {
        let directory = try TestDirectory()
        let file = try directory.write(
            """
            apis:
              pictures:
                hosts: [pictures.example]
                oauth1: {consumer_key: k, consumer_secret: s, clock_correction: off}
                accounts:
                  default:
                    three_legged:
                      request_token_url: https://pictures.example/r
                      authorize_url: https://pictures.example/a
                      access_token_url: https://pictures.example/t
                  bob: {xauth: {access_token_url: "https://pictures.example/t", username: u, password: p}}
                  app: {two_legged: true}
                  issued: {token: t, token_secret: s}
              members:
                hosts: [members.example]
                oauth2: {token_url: "https://members.example/t", client_id: i, client_secret: s}
                accounts:
                  default: {password: {username: u, password: p}}
            """,
            to: "paraph.yaml"
        )
        return try Configuration.load(path: file, environment: [:])
    }

    @Test("It is found with its way to a token")
    func ways() throws {
        let configuration = try configuration()
        let three = try LoginTarget(api: "pictures", account: "default", in: configuration)
        guard case .threeLegged(let settings, _) = three.way else {
            Issue.record("not three-legged")
            return
        }
        #expect(settings.callback == .loopback)
        #expect(three.name == CredentialName(api: "pictures", account: "default"))
        #expect(!three.correctsClock)
        guard case .exchange(let xAuth) = try LoginTarget(api: "pictures", account: "bob", in: configuration).way,
            case .exchange(let grant) = try LoginTarget(api: "members", account: "default", in: configuration).way
        else {
            Issue.record("no exchange")
            return
        }
        #expect(xAuth.kind.name == "xAuth")
        #expect(grant.kind.name == "password grant")
        #expect(try LoginTarget(api: "members", account: "default", in: configuration).apiIndex == 1)
    }

    @Test("What the configuration does not name, or what needs no login, is told with what there is")
    func errors() throws {
        let configuration = try configuration()
        #expect(throws: LoginError.unknownAPI("x", known: ["pictures", "members"])) {
            try LoginTarget(api: "x", account: "default", in: configuration)
        }
        let known = ["default", "bob", "app", "issued"]
        #expect(throws: LoginError.unknownAccount("x", api: "pictures", known: known)) {
            try LoginTarget(api: "pictures", account: "x", in: configuration)
        }
        for account in ["app", "issued"] {
            #expect(throws: LoginError.nothingToObtain(account: account)) {
                try LoginTarget(api: "pictures", account: account, in: configuration)
            }
        }
    }

    @Test("What was enrolled under the account's name is not replaced, and anything else is")
    func keepsEnrolled() async throws {
        let target = try LoginTarget(api: "members", account: "default", in: configuration())
        let directory = try TestDirectory()
        let vault = DirectoryStore(try Vault(directory: directory.path, key: .generate()))
        try await target.checkPlace(in: vault)
        for origin in CredentialOrigin.allCases {
            let token = AccountToken.access(AccessToken(Secret("t")))
            try await vault.store(StoredCredential(token: token, obtainedAt: 1, origin: origin), for: target.name)
            let error = origin == .enrolment ? LoginError.enrolled(api: "members", account: "default") : nil
            if let error {
                await #expect(throws: error) { try await target.checkPlace(in: vault) }
            } else {
                try await target.checkPlace(in: vault)
            }
        }
    }
}
