import OAuthSigning
@testable import ProviderSimulator
import TestSupport
import Testing
import UpstreamTrust

@testable import ForwardProxy

@Suite("The health of an API, as it is reported", .generousLimit, .timed)
struct HealthOfAPITests {
    private func told(_ proxy: RunningProxy) throws -> HealthOfAPI { try #require(proxy.server.healthOfAPIs["api"]) }

    @Test("The rate limits that each account was last told, printable and without secrets, also after a reload")
    func rateLimits() async throws {
        let answer: ScriptedProvider.Answer = { request, count in
            guard request.target == "/limited" else { return ScriptedProvider.answer("200 OK") }
            let fields = """
                X-RateLimit-Limit: 15
                x-ratelimit-remaining: \(15 - count)
                X-RateLimit-Token: hidden-canary
                Retry-After: \u{202E}7

                """
            return ScriptedProvider.answer("429 Too Many", fields: fields)
        }
        try await ScriptedProvider.with(answer: answer) { provider in
            let setup = ProxySetup(plain: provider.upstream)
            try await RunningProxy.with(setup) { proxy in
                _ = try await proxy.get("/")
                #expect(try told(proxy) == HealthOfAPI())
                for _ in 0..<2 { _ = try await proxy.get("/limited") }
                _ = try await proxy.get("/")
                let seen = SeenRateLimits(
                    of: "default",
                    time: proxy.clock.coarseWallSeconds,
                    fields: [
                        SeenRateLimits.Field("X-RateLimit-Limit", "15"),
                        SeenRateLimits.Field("x-ratelimit-remaining", "13"),
                        SeenRateLimits.Field("X-RateLimit-Token", "…"),
                        SeenRateLimits.Field("Retry-After", "…"),
                    ]
                )
                #expect(try told(proxy) == HealthOfAPI(rateLimits: [seen]))
                try await proxy.reload(setup)
                #expect(try told(proxy) == HealthOfAPI(rateLimits: [seen]))
            }
        }
    }

    @Test(
        "Rate limits are numbers, times and short names; anything else is not shown",
        arguments: [
            ("15", true), ("0.5", true), ("1767323045123", true), ("100, 100;w=60", true), ("", true),
            ("\"default\";r=50;t=30", true),
            ("Fri, 31 Dec 1999 23:59:59 GMT", true), ("2026-01-02T03:04:05.678+01:00", true), ("1m30s", true),
            ("D0Z2lQACKxU1rcj1qQGQofTZwL9sEoDI", false), ("Bearer NDOoZQ0cUCiCVBJR5V1lKZiaGsn9mjo6", false),
            ("12345678901234567890", false), ("a8f3b2c1", false), ("token-abcdefghijklmnop", false),
            ("\u{202E}7", false), ("1\u{1B}[31m", false), ("tok:en", false), ("a/b", false),
        ]
    )
    func isQuota(value: String, isShown: Bool) {
        #expect(KeptRateLimits.isQuota(value) == isShown)
    }

    @Test("A provider that refuses, until it does not")
    func refusal() async throws {
        let answer: ScriptedProvider.Answer = { request, _ in
            guard request.target == "/refused" else { return ScriptedProvider.answer("200 OK") }
            return ScriptedProvider.answer("401 No", "oauth_problem=consumer_key_unknown&s=hidden-client-secret")
        }
        try await ScriptedProvider.with(answer: answer) { provider in
            try await RunningProxy.with(ProxySetup(plain: provider.upstream)) { proxy in
                #expect(try await proxy.get("/refused").status == 401)
                let refusal = try #require(try told(proxy).refusals.first)
                #expect((refusal.account, refusal.status) == ("default", 401))
                #expect(refusal.time == proxy.clock.coarseWallSeconds)
                #expect(refusal.sentence.hasPrefix("Consumer key unknown"))
                #expect(!refusal.sentence.contains("hidden"))
                #expect(try await proxy.get("/").status == 200)
                #expect(try told(proxy) == HealthOfAPI())
            }
        }
    }

    @Test("A host that nothing listens at")
    func unreachable() async throws {
        try await UnusedPort.with { port in
            try await RunningProxy.with(ProxySetup(apis: [ProxySetup.API(port: port)])) { proxy in
                #expect(try await proxy.get("/").status == 502)
                let trouble = try #require(try told(proxy).troubles.first)
                #expect((trouble.kind, trouble.authority) == (.unreachable, "api.test:80"))
                #expect(trouble.time == proxy.clock.coarseWallSeconds)
                #expect(trouble.sentence.contains("could not be connected to"))
            }
        }
    }

    @Test("A name that does not resolve")
    func nameless() async throws {
        var setup = ProxySetup(apis: [ProxySetup.API(port: 80, connectHost: nil)])
        setup.resolve = { _, _ in [] }
        try await RunningProxy.with(setup) { proxy in
            let status = try await proxy.get("/").status
            #expect(status == 502)
            #expect(try told(proxy).troubles.map(\.kind) == [.nameNotFound])
        }
    }

    @Test(
        "A certificate without a pin, refused or reported",
        arguments: [(PinFailureAction.refuse, UpstreamTrouble.Kind.certificateRefused), (.report, .pinsReported)]
    )
    func pins(action: PinFailureAction, kind: UpstreamTrouble.Kind) async throws {
        let pin = try Pin.publicKey(of: ServerIdentity.foreign.get().leaf)
        let policy = PinningPolicy(mode: .publicKey, pins: [pin], onFailure: action)
        try await ScriptedProvider.with(isSecure: true, answer: { _, _ in ScriptedProvider.answer("200 OK") }) {
            provider in
            var setup = try ProxySetup(secure: provider.upstream)
            setup.apis[0].tls.pinning = [HostPinning(policy: policy)]
            try await RunningProxy.with(setup) { proxy in
                #expect(try await proxy.answer(to: plainGet).status == (action == .refuse ? 502 : 200))
                let trouble = try #require(try told(proxy).troubles.first)
                #expect((trouble.kind, trouble.authority) == (kind, "api.test:443"))
                #expect(
                    trouble.sentence.contains("is not accepted: the path is valid, and no certificate on it has one")
                )
                #expect(!trouble.sentence.contains { $0.isNewline })
                setup.apis[0].tls.pinning = []
                try await proxy.reload(setup)
                #expect(try await proxy.answer(to: plainGet).status == 200)
                #expect(try told(proxy) == HealthOfAPI())
            }
        }
    }
}
