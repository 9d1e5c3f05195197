import Credentials
import HTTP1Codec
import OAuthSigning
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("A token in a field other than Authorization", .generousLimit, .timed)
struct TokenFieldTests {
    /// Nothing in the name tells that the value is secret.
    private static let name = "X-Shop"

    /// Tells which of the fields with credentials have come.
    private static let echo: ScriptedProvider.Answer = { request, _ in
        let fields = [name, "Authorization"].map { name in request.values(name).map { "\(name)=\($0)" } }
        return ScriptedProvider.answer("200 OK", fields.joined().joined(separator: "&"))
    }

    private func with(
        _ existing: APISettings.ExistingAuthorization = .replace,
        _ body: (RunningProxy, ScriptedProvider) async throws -> Void
    ) async throws {
        try await ScriptedProvider.with(answer: Self.echo) { provider in
            var setup = ProxySetup(apis: [ProxySetup.API(port: provider.upstream.port)])
            setup.apis[0].scheme = .bearer(try #require(HeaderTemplate("\(Self.name): {token}")))
            setup.apis[0].accounts = [AccountSettings(name: "default", source: .bearer(Secret("hidden-static")))]
            setup.apis[0].existingAuthorization = existing
            try await RunningProxy.with(setup) { try await body($0, provider) }
        }
    }

    private func ask(_ proxy: RunningProxy, _ fields: String) async throws -> Message {
        try await proxy.answer(to: "GET http://api.test/ HTTP/1.1\nHost: api.test\n\(fields)\n")
    }

    @Test("is all that the request has of credentials: the client's own lines are left out")
    func replaces() async throws {
        try await with { proxy, _ in
            let own = "x-shop: mine\nX-SHOP: more\nAuthorization: Bearer mine\n"
            #expect(try await ask(proxy, own).body == "X-Shop=hidden-static")
            #expect(try await ask(proxy, own + "Connection: x-shop\n").body == "X-Shop=hidden-static")
            #expect(try await ask(proxy, "").body == "X-Shop=hidden-static")
            try await proxy.expectNoSecrets(requests: 3)
        }
    }

    @Test(
        "goes to no request that keeps the client's own",
        arguments: [("x-shop: mine\n", "X-Shop=mine"), ("Authorization: Bearer mine\n", "Authorization=Bearer mine")]
    )
    func keeps(_ own: String, _ sent: String) async throws {
        try await with(.keep) { proxy, _ in
            let kept = try await ask(proxy, own)
            #expect(kept.body == sent)
            let plain = try await ask(proxy, "")
            #expect(plain.body == "X-Shop=hidden-static")
        }
    }

    @Test("is refused as the client's own, by its name", arguments: ["X-Shop", "Authorization"])
    func refuses(_ name: String) async throws {
        try await with(.refuse) { proxy, provider in
            let refused = try await ask(proxy, "\(name.lowercased()): mine\n")
            #expect(refused.status == 403)
            #expect(refused.body.contains("a field \(name) of its own"))
            #expect(provider.count("/") == 0)
        }
    }

    @Test("is shown to nobody")
    func isHidden() throws {
        let head = try requestHead("GET / HTTP/1.1\nHost: api.test\nx-shop: hidden\nX-Other: 1\n\n")
        let lines = HeadText.lines(of: head, hiding: TokenField(Self.name))
        #expect(lines.contains("x-shop: …"))
        #expect(lines.contains("X-Other: 1"))
    }

    @Test("cannot be one that framing, routing or the proxy owns")
    func isFree() {
        for field in KnownField.allCases where field != .other && field != .authorization {
            #expect(TokenField(field.name) == nil, "\(field.name)")
        }
        for name in ["", "X Key", "X-Key:", "Proxy-X", "Content-MD5", "Cookie", "Schlüssel"] {
            #expect(TokenField(name) == nil, "\(name)")
        }
        for name in ["X-Api-Key", "Private-Token", "apikey", "Ocp-Apim-Subscription-Key"] {
            #expect(TokenField(name)?.name == name)
        }
    }
}
