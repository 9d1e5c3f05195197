import CredentialStores
import Credentials
import OAuthSigning
import ParaphConfiguration
import Settings
import TestSupport

@testable import paraph

/// A configuration whose accounts have the credentials of ``SignedRequests``, and the vault of one of them.
struct AccountFiles {
    private let directory: TestDirectory
    let path: String

    init() throws {
        directory = try TestDirectory()
        try directory.write("the consumer secret\n", to: "consumer")
        try directory.write("the token secret\n", to: "token")
        try directory.write(RSAPair.privateKey, to: "key.pem")
        path = try directory.write(
            """
            state: \(directory("state"))
            apis:
              pictures:
                hosts: [api.example.com]
                oauth1: {consumer_key: ck, consumer_secret: {file: \(directory("consumer"))}, realm: Photos}
                accounts:
                  default: {token: tk, token_secret: {file: \(directory("token"))}}
                  app: {two_legged: true}
                  alice:
                    three_legged:
                      request_token_url: https://api.example.com/r
                      authorize_url: https://api.example.com/a
                      access_token_url: https://api.example.com/t
              sealed:
                hosts: [sealed.example.com]
                oauth1:
                  consumer_key: ck
                  signature_method: RSA-SHA256
                  private_key: {file: \(directory("key.pem"))}
                  empty_token: send
                accounts: {default: {two_legged: true}}
              members:
                hosts: [members.example.com]
                bearer: {}
                accounts: {default: {token: t}}
            """,
            to: "paraph.yaml"
        )
    }

    func configuration() throws -> Configuration { try Configuration.load(path: path, environment: [:]) }

    /// The options that name an account.
    func options(_ account: String) -> [String] { ["--config", path, "--account", account] }

    /// Puts the token of ``SignedRequests`` into the vault, for alice.
    /// - Parameter isUsed: Whether it is obtained as the account's settings have it.
    func store(isUsed: Bool = true) async throws {
        let configuration = try configuration()
        let token = TokenCredentials(token: "tk", secret: Secret("the token secret"))
        var credential = StoredCredential(token: .oauth1(token), obtainedAt: 1, origin: .login)
        let api = configuration.proxy.apis[0]
        if isUsed, let binding = api.binding(of: api.accounts[2]) { credential = credential.bound(to: binding) }
        let vault = try OpenedStore.open(configuration.vault)
        try await vault.closing {
            try await vault.store.store(credential, for: CredentialName(api: "pictures", account: "alice"))
        }
    }
}
