import Bytes
import SigningVectors
import Testing

@testable import OAuthSigning

@Suite("Secrets")
struct SecretTests {
    @Test("A secret is printed by nothing")
    func printing() throws {
        let secret = Secret("kd94hf93k423kf44")
        var dumped = ""
        dump(TokenCredentials(token: "t", secret: secret), to: &dumped)
        let client = ClientCredentials(identifier: "c", sharedSecret: secret)
        let printed = [
            "\(secret)", String(reflecting: secret), "\(client)", "\(TokenCredentials(token: "t", secret: secret))",
            dumped,
        ]
        #expect(printed.allSatisfy { !$0.contains("kd94") && $0.contains("<secret>") })
    }

    @Test("Secrets are equal when their bytes are")
    func equality() {
        #expect(Secret("a") == Secret(bytes: [0x61]))
        #expect(Secret("a") != Secret("b"))
        #expect(Secret("a") != Secret("aa"))
        #expect(Secret("") == Secret(bytes: []))
        #expect(Secret("").isEmpty && !Secret("a").isEmpty)
        #expect(Secret("päss").revealed() == "päss")
        #expect(Secret("ab").withBytes { $0.array } == [0x61, 0x62])
    }

    @Test(
        "The masked key tells little of a long secret and nothing of a short one",
        arguments: [
            ("kd94hf93k423kf44", "pfkkdhi9sl3r4s00", "kd…&pf…"), ("short", "elevenchars", "…&…"), ("", "", "&"),
            ("kd94hf93k423kf44", "", "kd…&"), ("日本語日本語日本語", "", "…&"),
        ]
    )
    func masking(_ client: String, _ token: String, _ masked: String) throws {
        let request = try SignableRequest(
            client: ClientCredentials(identifier: "c", sharedSecret: Secret(client)),
            token: TokenCredentials(token: "t", secret: Secret(token))
        )
        #expect(try request.explain().maskedKey == masked)
    }
}
