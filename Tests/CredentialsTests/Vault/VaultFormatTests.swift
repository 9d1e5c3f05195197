import Credentials
import CredentialSamples
import Foundation
import OAuthSigning
import Testing
import TestSupport

@Suite("The format of vault files")
struct VaultFormatTests {
    private struct VaultFixture: Decodable {
        struct File: Decodable {
            let name: String
            let bytes: Data
        }
        let key: String
        let files: [File]
    }

    private static let attributes = ["user_id": "38895958", "screen_name": "Zoë & co"]
    private static let token = AccountToken.oauth1(
        TokenCredentials(token: "38895958-token", secret: Secret("a secret"))
    )

    /// A vault of the files in the fixture, which another implementation of the format wrote.
    static func vault(in temporary: TestDirectory) throws -> Vault {
        let url = try #require(
            Bundle.module.url(forResource: "vault-files", withExtension: "json", subdirectory: "Fixtures")
        )
        let fixture = try JSONDecoder().decode(VaultFixture.self, from: Data(contentsOf: url))
        let vault = try Vault(directory: temporary.path, key: VaultKey(base64: Secret(fixture.key)))
        for file in fixture.files { try file.bytes.write(to: URL(filePath: temporary(file.name))) }
        return vault
    }

    @Test("A file of version 1 is read as a credential that came by an exchange")
    func version1() throws {
        let temporary = try TestDirectory()
        let vault = try Self.vault(in: temporary)
        let expected = StoredCredential(
            token: Self.token,
            attributes: Self.attributes,
            obtainedAt: 1_700_000_000,
            origin: .exchange
        )
        let name = CredentialName(api: "twitter", account: "one")
        #expect(try vault.load(name) == expected)
        // Stored again, it is of the version of today.
        try vault.store(expected, for: name)
        #expect(try Data(contentsOf: URL(filePath: temporary("twitter@one.sealed")))[7] == 4)
        #expect(try vault.load(name) == expected)
    }

    @Test("A file of version 2 has the origin, any kind of token, and the login")
    func version2() throws {
        let temporary = try TestDirectory()
        let vault = try Self.vault(in: temporary)
        #expect(
            try vault.load(CredentialName(api: "twitter", account: "two"))
                == StoredCredential(
                    token: Self.token,
                    attributes: Self.attributes,
                    obtainedAt: 1_700_000_000,
                    origin: .login
                )
        )
        #expect(
            try vault.load(CredentialName(api: "members", account: "zoë"))
                == StoredCredential(
                    token: .access(
                        AccessToken(Secret("access 1"), expiresAt: 1_700_003_600, refreshToken: Secret("refresh 1"))
                    ),
                    attributes: Self.attributes,
                    obtainedAt: 1_700_000_000,
                    origin: .enrolment,
                    login: PasswordCredentials(username: "zoë", password: Secret("pass word"))
                )
        )
    }

    @Test("Every origin, and tokens and logins with and without their parts, are loaded as they were stored")
    func roundTrips() throws {
        let temporary = try TestDirectory()
        let vault = try Vault(directory: temporary.path, key: .generate())
        let tokens: [AccountToken] = [
            Self.token, .access(AccessToken(Secret("a"))), .access(AccessToken(Secret("a"), expiresAt: .max)),
            .access(AccessToken(Secret("a"), refreshToken: Secret("r"))),
            .access(AccessToken(Secret("a"), refreshToken: Secret("r"), refreshTokenUse: .repeatable)),
            .access(AccessToken(Secret("a"), refreshTokenUse: .begun)),
        ]
        let logins = [nil, PasswordCredentials(username: "", password: Secret(bytes: [0xFF, 0]))]
        for token in tokens {
            for login in logins {
                for origin in CredentialOrigin.allCases {
                    let stored = StoredCredential(token: token, obtainedAt: 1, origin: origin, login: login)
                    let binding = CredentialBinding(
                        enrolledWith: .bearer(.bearer),
                        verifiedBy: nil,
                        hosts: ["https://api.test"]
                    )
                    for credential in [stored, stored.bound(to: binding)] {
                        try vault.store(credential, for: Samples.alice)
                        #expect(try vault.load(Samples.alice) == credential)
                    }
                }
            }
        }
    }

    @Test("Every file of either version is refused when any byte of it is altered")
    func alteration() throws {
        let temporary = try TestDirectory()
        let vault = try Self.vault(in: temporary)
        for name in try TestDirectory.sealed(in: temporary.path) {
            let url = URL(filePath: temporary(name))
            let whole = try Data(contentsOf: url)
            // The version takes part in the authentication: one cannot be read as the other.
            for index in whole.indices {
                var altered = whole
                altered[index] ^= index == 7 ? 0x03 : 0x01
                try altered.write(to: url)
                #expect(throws: VaultError.self) { try vault.load(#require(Vault.name(ofFile: name))) }
            }
            try whole.write(to: url)
        }
        #expect(try vault.contents().credentials.count == 3)
    }
}
