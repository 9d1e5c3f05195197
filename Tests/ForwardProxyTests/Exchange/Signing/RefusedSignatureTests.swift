import Bytes
import Credentials
import OAuthSigning
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Refused signatures whose base string the provider shows", .generousLimit, .timed)
struct RefusedSignatureTests {
    @Test(
        "Where it parts from ours is told, or that it does not",
        arguments: [
            ("api.test", "api.test%3A8080", "First difference: the address (scheme, host, port or path)"),
            ("%26b%3D2", "", "First difference: parameter "),
            ("a%3D1", "a%3D2", "First difference: the value of parameter a"),
            ("POST&", "GET&", "First difference: the method"),
            ("nothing", "", "so that a secret of api/default is wrong"),
        ]
    )
    func compares(part: String, replacement: String, expected: String) async throws {
        let answer: ScriptedProvider.Answer = { request, _ in
            guard let verified = try? verify(request, scheme: .http) else { return ScriptedProvider.answer("500 No") }
            let theirs = verified.baseString.replacing(part, with: replacement)
            return ScriptedProvider.answer("401 No", "oauth_problem=signature_invalid&debug_sbs=\(theirs)")
        }
        try await ScriptedProvider.with(answer: answer) { provider in
            try await RunningProxy.with(ProxySetup(plain: provider.upstream)) { proxy in
                let form = "Content-Type: application/x-www-form-urlencoded\n"
                let request = RunningProxy.request("POST", "/?b=2", fields: form, body: "a=1")
                let details = try #require(try await proxy.answer(to: request).refusal?.details)
                #expect(details.contains(expected), "\(details)")
                try await proxy.expectNoSecrets()
            }
        }
    }

    @Test("An account's own client credentials sign its requests, and are not told either")
    func usesOwnClient() async throws {
        let answer: ScriptedProvider.Answer = { request, _ in
            let field = request["Authorization"] ?? ""
            let key = field.contains(#"oauth_consumer_key="own""#) ? "own" : "other"
            return ScriptedProvider.answer("401 No", "oauth_problem=consumer_key_unknown&key=\(key)&s=hidden-own")
        }
        try await ScriptedProvider.with(answer: answer) { provider in
            var setup = ProxySetup(plain: provider.upstream)
            let own = ClientCredentials(identifier: "own", sharedSecret: Secret("hidden-own"))
            setup.apis[0].accounts.append(
                AccountSettings(name: "own", source: .twoLegged, oauth1: OAuth1Settings(client: own))
            )
            try await RunningProxy.with(setup) { proxy in
                for account in ["own", "default"] {
                    let answer = try await proxy.get(account: account)
                    #expect(answer.body.contains("key=\(account == "own" ? "own" : "other")&"))
                    #expect(answer.refusal?.details.hasPrefix("Consumer key unknown") == true)
                    #expect(answer.refusal?.details.contains("hidden") == false)
                }
                try await proxy.expectNoSecrets(requests: 2)
            }
        }
    }
}
