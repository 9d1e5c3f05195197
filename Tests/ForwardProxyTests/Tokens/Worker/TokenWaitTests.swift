import Credentials
import NIOCore
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("The time that a request waits for a token", .generousLimit, .timed)
struct TokenWaitTests {
    private static let name = CredentialName(api: "api", account: "default")

    private func with(
        answer: @escaping @Sendable (GrantingProvider, Message) async -> String = { $0.answer($1) },
        _ body: (RunningProxy, GrantingProvider, ScriptedProvider) async throws -> Void
    ) async throws {
        let granting = GrantingProvider()
        try await ScriptedProvider.with(answer: { request, _ in await answer(granting, request) }) { provider in
            try await RunningProxy.with(.passwordGrant(port: provider.upstream.port)) { proxy in
                try await body(proxy, granting, provider)
            }
        }
    }

    private func expectLate(_ answer: Message) {
        #expect(answer.status == 503)
        #expect(answer["Retry-After"] == "1")
        #expect(answer.body.contains("has not come within timeouts.token"), "\(answer.body)")
        #expect(answer.body.contains(#""cause":"token_overdue""#), "\(answer.body)")
    }

    @Test("A request that has waited for as long as it may is told so, while the exchange goes on")
    func bounded() async throws {
        let gate = Gate()
        let answer: @Sendable (GrantingProvider, Message) async -> String = { granting, request in
            if request.target == GrantingProvider.path { await gate.wait() }
            return granting.answer(request)
        }
        try await with(answer: answer) { proxy, granting, provider in
            let client = try await proxy.connect()
            try await client.send(RunningProxy.request())
            try await provider.received(1, at: GrantingProvider.path)
            try await proxy.clock.expire(.seconds(25))
            expectLate(try await client.message())
            gate.open()
            #expect(try await proxy.get().body == "Bearer hidden-access-1")
            #expect(granting.grants == ["password"])
        }
    }

    @Test("A request that waits for another process's exchange waits no longer either")
    func others() async throws {
        try await with { proxy, granting, _ in
            let turn = try #require(try proxy.vault.turn(of: Self.name))
            let client = try await proxy.connect()
            try await client.send(RunningProxy.request())
            try await proxy.clock.expire(.seconds(25))
            expectLate(try await client.message())
            #expect(granting.grants.isEmpty)
            withExtendedLifetime(turn) {}
        }
    }

    @Test("The time before a token is refused counts, too")
    func again() async throws {
        let first = Gate()
        let second = Gate()
        let answer: @Sendable (GrantingProvider, Message) async -> String = { granting, request in
            guard request.target == GrantingProvider.path else { return granting.answer(request) }
            await (request.body.contains("refresh_token=") ? second : first).wait()
            defer { granting.expireAccessTokens() }
            return granting.answer(request)
        }
        try await with(answer: answer) { proxy, _, provider in
            let client = try await proxy.connect()
            try await client.send(RunningProxy.request())
            try await provider.received(1, at: GrantingProvider.path)
            await proxy.clock.advance(by: .seconds(15))
            first.open()
            try await provider.received(2, at: GrantingProvider.path)
            try await proxy.clock.expire(.seconds(10))
            let answer = try await client.message()
            #expect(answer.status == 401)
            #expect(answer.refusal?.details.contains("has not come within timeouts.token") == true, "\(answer)")
            second.open()
        }
    }
}
