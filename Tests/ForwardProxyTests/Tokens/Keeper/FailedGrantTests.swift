import Credentials
import NIOCore
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Access tokens that cannot be had", .generousLimit, .timed)
struct FailedGrantTests {
    private static let down = ScriptedProvider.answer(
        "503 Service Unavailable",
        "hidden-app-secret is fine, we are not"
    )
    private static let refusal = ScriptedProvider.answer("400 Bad Request", #"{"error":"invalid_grant"}"#)

    private func with(
        _ body: (RunningProxy, GrantingProvider, ScriptedProvider) async throws -> Void
    ) async throws {
        let granting = GrantingProvider()
        try await ScriptedProvider.with(answer: { request, _ in granting.answer(request) }) { provider in
            try await RunningProxy.with(.passwordGrant(port: provider.upstream.port)) {
                try await body($0, granting, provider)
            }
        }
    }

    @Test("A grant that fails is told to all who wait, and not tried again at once", arguments: [down, refusal])
    func backsOff(failure: String) async throws {
        try await with { proxy, granting, provider in
            granting.fail(with: failure)
            for answer in try await proxy.gets(10) {
                #expect(answer.status == 502)
                #expect(answer.proxyError == "http_request_denied")
                #expect(answer.body.contains("password grant"))
                #expect(answer.body.contains(#""cause":"exchange_"#))
                #expect(!answer.body.contains("hidden"))
            }
            await proxy.clock.advance(by: .milliseconds(999))
            let later = try await proxy.get()
            #expect(later.status == 502)
            #expect(later["Retry-After"] == "1")
            #expect(granting.grants == ["password"])
            #expect(provider.count("/") == 0)
            #expect(try await proxy.accessLogText(lines: 11).contains(#""cause":"exchange_"#))
            try await proxy.expectNoSecrets(requests: 11)
            granting.fail(with: nil)
            await proxy.clock.advance(by: .milliseconds(1))
            #expect(try await proxy.get().status == 200)
            #expect(granting.grants == ["password", "password"])
        }
    }

    @Test("A refresh that fails does not send the password at once: the client gets the provider's own 401, and why")
    func passesRefusalOn() async throws {
        try await with { proxy, granting, _ in
            #expect(try await proxy.get().status == 200)
            granting.expireAccessTokens()
            granting.fail(with: Self.down)
            // The second one comes while the provider is left alone.
            for _ in 0..<2 {
                let answer = try await proxy.get()
                #expect(answer.status == 401)
                #expect(answer.body == "no")
                #expect(answer["WWW-Authenticate"] == "Bearer realm=\"x\"")
                let status = try StructuredItem(try #require(answer["Proxy-Status"]))
                #expect(status.token == "paraph")
                #expect(status.parameters["received-status"] == .integer(401))
                guard case .string(let details)? = status.parameters["details"] else {
                    Issue.record("no details: \(status)")
                    continue
                }
                #expect(details.contains("A new token could not be had"))
                #expect(details.contains("refresh"))
                #expect(details.contains("503"))
            }
            #expect(granting.grants == ["password", "refresh"])
            try await proxy.expectNoSecrets(requests: 3)
            granting.fail(with: nil)
            await proxy.clock.advance(by: .seconds(1))
            #expect(try await proxy.get().status == 200)
            // The provider may have taken the refresh token for used.
            #expect(granting.grants == ["password", "refresh", "password"])
        }
    }

    @Test("A refused login is told with the provider's 401, once its refresh token is gone")
    func tellsRefusedLogin() async throws {
        try await with { proxy, granting, _ in
            #expect(try await proxy.get().status == 200)
            granting.expireAccessTokens()
            granting.fail(with: Self.refusal)
            let answer = try await proxy.get()
            #expect(answer.status == 401)
            #expect(answer["Proxy-Status"]?.contains("password grant") == true)
            #expect(granting.grants == ["password", "refresh", "password"])
            try await proxy.expectNoSecrets(requests: 2)
        }
    }

    @Test("A token endpoint whose answer is no token is told so, and its words are not")
    func tellsNonsense() async throws {
        try await with { proxy, granting, _ in
            granting.fail(with: ScriptedProvider.answer("200 OK", "<html>hidden-app-secret</html>"))
            let answer = try await proxy.get()
            #expect(answer.status == 502)
            #expect(answer.body.contains("web page"))
            #expect(!answer.body.contains("hidden"))
            try await proxy.expectNoSecrets()
        }
    }

    @Test("A token that no field may have is not sent")
    func refusesUnsendable() async throws {
        try await with { proxy, granting, provider in
            granting.fail(with: ScriptedProvider.answer("200 OK", #"{"access_token":"hidden\r\nX: y"}"#))
            let answer = try await proxy.get()
            #expect(answer.status == 502)
            #expect(answer.body.contains("no header field may have"))
            #expect(provider.count("/") == 0)
            try await proxy.expectNoSecrets()
        }
    }
}
