import ArgumentParser
import Credentials
import OAuthSigning
import Testing

@testable import paraph

@Suite("The report on a login")
struct LoginReportTests {
    @Test("Whose token it is, in printable characters, and nothing of the token")
    func report() {
        let credential = StoredCredential(
            token: .oauth1(TokenCredentials(token: "token-canary", secret: Secret("secret-canary"))),
            attributes: ["user_id": "7", "screen_name": "b\u{1B}[31mo\nb"],
            obtainedAt: 0
        )
        let report = LoginReport(name: CredentialName(api: "x", account: "bob"), credential: credential)
        #expect(
            report.text == """
                Stored the token of x/bob in the vault.
                    screen_name: b[31mo b
                    user_id: 7
                """
        )
    }

    @Test("Each kind of failure has its exit code")
    func exitCodes() {
        let code = { (cause: ExchangeFailure.Cause) in
            ExchangeFailure(step: "s", status: nil, words: "", cause: cause).exitCode.rawValue
        }
        #expect(code(.unreachable) == 69)
        #expect(code(.providerFailed) == 69)
        #expect(code(.loginRefused) == 77)
        #expect(code(.verifierRefused) == 77)
        #expect(code(.settings) == 65)
        #expect(LoginError.unknownAPI("x", known: []).exitCode.rawValue == 64)
        #expect(LoginError.denied.exitCode.rawValue == 77)
        #expect(LoginError.cannotListen(address: "a", reason: "r").exitCode.rawValue == 69)
    }

    @Test(
        "A browser is opened only on a desktop, and with the desktop's own program",
        arguments: [[:], ["PATH": "/bin:/usr/bin"], ["DISPLAY": ":0"], ["DISPLAY": "", "PATH": "/bin"]]
    )
    func noBrowser(environment: [String: String]) {
        #expect(Browser(environment: environment) == nil)
    }
}
