import Credentials
import FoundationEssentials
import OAuthSigning
import Testing

@testable import paraph

@Suite("The report on a stored credential")
struct AccountReportTests {
    private static let secret = Secret("canary")

    @Test("An OAuth 1.0a token: when and how it came, and what the provider said")
    func oauth1() {
        let report = AccountReport(
            name: CredentialName(api: "x", account: "b\u{1B}[31mo\tb"),
            credential: StoredCredential(
                token: .oauth1(TokenCredentials(token: "canary", secret: Self.secret)),
                attributes: ["user_id": "7", "screen_name": "b\nob"],
                obtainedAt: 1_800_000_000,
                origin: .login
            ),
            isUsed: true,
            use: .obtained
        )
        #expect(
            report.text == """
                API: x
                account: b[31mo b
                token: OAuth 1.0a token
                stored: 2027-01-15T08:00:00Z, by paraph login
                said by the provider:
                    screen_name: b ob
                    user_id: 7
                """
        )
        #expect(report.line == "x\tb[31mo b\tOAuth 1.0a token\t2027-01-15T08:00:00Z\tlogin")
    }

    @Test("An access token: when it expires, and what a new one can be had with")
    func access() {
        let report = AccountReport(
            name: CredentialName(api: "members", account: "2311"),
            credential: StoredCredential(
                token: .access(AccessToken(Self.secret, expiresAt: 1_800_003_600, refreshToken: Self.secret)),
                obtainedAt: 1_800_000_000,
                origin: .enrolment,
                login: PasswordCredentials(username: "alice", password: Self.secret)
            ),
            isUsed: true,
            use: .obtained
        )
        #expect(
            report.text == """
                API: members
                account: 2311
                token: access token
                stored: 2027-01-15T08:00:00Z, by enrolment
                expires: 2027-01-15T09:00:00Z
                refresh token: kept
                user name: alice, with its password
                """
        )
        #expect(!report.line.contains("canary"))
    }

    @Test("One that no account uses: why, and what to do", arguments: CredentialOrigin.allCases)
    func unused(origin: CredentialOrigin) {
        let stored = StoredCredential(token: .access(AccessToken(Self.secret)), obtainedAt: 1, origin: origin)
        let bound = stored.bound(
            to: CredentialBinding(enrolledWith: .bearer(.bearer), verifiedBy: nil, hosts: ["https://api.test"])
        )
        let remedy =
            switch origin {
            case .exchange: "a new one is obtained on first use"
            case .login: "run `paraph login` for a new one"
            case .enrolment: "it has to be enrolled again"
            }
        let reasons = [
            (stored, "it was stored by an earlier version, which did not keep what it was obtained with"),
            (
                bound,
                "it was obtained for other settings (kind of source, user, client, endpoints, hosts, connect_to or id) than "
                    + "the configuration has now"
            ),
        ]
        for (credential, reason) in reasons {
            let name = CredentialName(api: "x", account: "y")
            let use: CredentialUse = origin == .enrolment ? .enrolled : .obtained
            let report = AccountReport(name: name, credential: credential, isUsed: false, use: use)
            #expect(report.text.components(separatedBy: "\n").contains("used: no: \(reason); \(remedy)"))
            #expect(report.line == "x\ty\taccess token\t1970-01-01T00:00:01Z\t\(origin.rawValue)\tnot used")
        }
    }

    @Test(
        "One whose name means something else now: why, and what to do",
        arguments: [
            (CredentialUse.unknownAPI, CredentialOrigin.exchange, "the configuration has no API of that name"),
            (.unknownAPI, .enrolment, "the configuration has no API of that name"),
            (.unknownAccount, .enrolment, "the configuration does not name the account, and has no enrolment"),
            (.enrolled, .exchange, "it was not enrolled"),
            (.enrolled, .login, "it was not enrolled"),
            (.obtained, .enrolment, "it was enrolled, and the configuration names the account now"),
            (.unneeded, .enrolment, "the configuration says now how the account is authorized"),
            (.unneeded, .exchange, "the configuration says now how the account is authorized"),
        ]
    )
    func superseded(use: CredentialUse, origin: CredentialOrigin, reason: String) {
        let report = AccountReport(
            name: CredentialName(api: "x", account: "y"),
            credential: StoredCredential(token: .access(AccessToken(Self.secret)), obtainedAt: 1, origin: origin),
            isUsed: false,
            use: use
        )
        #expect(report.text.contains("used: no: \(reason)"))
        #expect(report.text.contains("`paraph accounts remove`"))
    }
}
