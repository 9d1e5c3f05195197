import ArgumentParser
import Credentials
import OAuthSigning
import ParaphConfiguration
import Testing

@testable import paraph

@Suite("The account of a configuration that a signature is explained or verified with")
struct SigningAccountTests {
    private let files: AccountFiles

    init() throws { files = try AccountFiles() }

    private func account(_ api: String, _ account: String, stored: StoredCredential? = nil) async throws
        -> SigningAccount
    {
        try await SigningAccount(CredentialName(api: api, account: account), in: files.configuration()) { stored }
    }

    @Test("Its secrets and its way of signing are those of the configuration")
    func configured() async throws {
        let issued = try await account("pictures", "default")
        #expect(issued.oauth1.client.sharedSecret == Secret("the consumer secret"))
        #expect(issued.token == TokenCredentials(token: "tk", secret: Secret("the token secret")))
        #expect(issued.oauth1.options.realm == "Photos" && issued.sentToken == "tk")
        let app = try await account("pictures", "app")
        #expect(app.token == nil && app.sentToken == nil)
        let sealed = try await account("sealed", "default")
        #expect(sealed.sentToken == "" && sealed.oauth1.client.privateKey != nil)
    }

    @Test("What is not there is told with the file, the account, and what to do")
    func errors() async throws {
        let alice = CredentialName(api: "pictures", account: "alice")
        let unbound = StoredCredential(
            token: .oauth1(TokenCredentials(token: "t", secret: Secret("canary"))),
            obtainedAt: 1
        )
        for (api, name, stored, words) in [
            ("other", "default", nil, ["other/default", files.path, "it has: pictures, sealed, members"]),
            ("pictures", "bob", nil, ["pictures/bob", files.path, "its accounts are: default, app, alice"]),
            ("members", "default", nil, ["members/default", files.path, "no oauth1"]),
            (
                alice.api, alice.account, nil,
                ["pictures/alice", "state/vault", "paraph login pictures --account alice"]
            ),
            (alice.api, alice.account, unbound, ["pictures/alice", "state/vault", "earlier version"]),
        ] as [(String, String, StoredCredential?, [String])] {
            let error = await #expect(throws: SigningAccountError.self) { try await account(api, name, stored: stored) }
            let sentence = try #require(error).description
            for word in words { #expect(sentence.contains(word), "\(sentence)") }
            #expect(!sentence.contains("canary"))
        }
    }

    @Test("Both commands sign and verify as an account whose token is in the configuration, or in the vault")
    func commands() async throws {
        let header = try SignedRequests.header { $0.options.realm = "Photos" }
        let request = ["GET", SignedRequests.url]
        await #expect(throws: ExitCode(65)) {
            try await Explain.parse(request + files.options("pictures/alice") + ["--against", header]).run()
        }
        try await files.store()
        for account in ["pictures/default", "pictures/alice"] {
            let options = files.options(account)
            try await Explain.parse(request + options + ["--against", header]).run()
            try await Explain.parse(request + options + ["--json"]).run()
            try await Verify.parse(request + options + ["--authorization", header]).run()
        }
        let app = files.options("pictures/app")
        await #expect(throws: ExitCode(77)) {
            try await Verify.parse(request + app + ["--authorization", header]).run()
        }
        let bare = try SignedRequests.header { ($0.credentials.token, $0.credentials.tokenSecret) = (nil, nil) }
        try await Verify.parse(request + app + ["--authorization", bare]).run()
        try await files.store(isUsed: false)
        await #expect(throws: ExitCode(65)) {
            try await Verify.parse(request + files.options("pictures/alice") + ["--authorization", header]).run()
        }
    }

    @Test("An RSA key of the configuration signs, verifies and compares")
    func rsa() async throws {
        let header = try SignedRequests.header {
            $0.options.signatureMethod = .rsaSHA256
            $0.credentials.privateKey = Secret(RSAPair.privateKey)
            ($0.credentials.token, $0.credentials.tokenSecret) = ("", nil)
        }
        let options = ["GET", SignedRequests.url] + files.options("sealed/default")
        try await Explain.parse(options).run()
        try await Explain.parse(options + ["--against", header]).run()
        try await Verify.parse(options + ["--authorization", header]).run()
        await #expect(throws: ExitCode(77)) {
            try await Verify.parse(["POST"] + options.dropFirst() + ["--authorization", header]).run()
        }
    }

    @Test("Options of the signature take the place of what the account has")
    func overridden() throws {
        let options = try ExplainedSignature.parse(["--signature-method", "PLAINTEXT", "--omit-version"])
        let signed = options.applied(to: SigningOptions(realm: "Photos", bodyHash: .always, placement: .query))
        let expected = SigningOptions(
            signatureMethod: .plaintext,
            realm: "Photos",
            bodyHash: .always,
            placement: .query,
            includesVersion: false
        )
        #expect(signed == expected)
    }

    @Test("Credentials are given in one way, and an account is named as API/ACCOUNT")
    func misuse() async throws {
        let request = ["GET", SignedRequests.url]
        for more in [
            ["--account", "pictures"], ["--account", "a/b", "--consumer-key", "ck"],
            ["--config", files.path, "--token", "tk"],
        ] {
            #expect(throws: (any Error).self) { try Explain.parse(request + more) }
            #expect(throws: (any Error).self) { try Verify.parse(request + more) }
        }
        await #expect(throws: ExitCode(64)) {
            try await Verify.parse(request + ["--config", files.path]).run()
        }
        #expect(throws: (any Error).self) { try Explain.parse(["--batch", "--account", "a/b"]) }
    }
}
