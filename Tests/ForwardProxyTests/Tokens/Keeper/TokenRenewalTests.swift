import Credentials
import NIOCore
import OAuthSigning
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Requests around the renewal of a token", .generousLimit, .timed)
struct TokenRenewalTests {
    private func with(
        answer: @escaping @Sendable (GrantingProvider, Message) async -> String = { $0.answer($1) },
        _ body: (RunningProxy, GrantingProvider, ScriptedProvider) async throws -> Void
    ) async throws {
        let granting = GrantingProvider()
        try await ScriptedProvider.with(answer: { request, _ in await answer(granting, request) }) { provider in
            try await RunningProxy.with(.passwordGrant(port: provider.upstream.port)) { proxy in
                #expect(try await proxy.get().status == 200)
                granting.expireAccessTokens()
                try await body(proxy, granting, provider)
            }
        }
    }

    @Test("Pipelined requests behind one that waits for it follow in order")
    func keepsOrder() async throws {
        try await with { proxy, granting, provider in
            let client = try await proxy.connect()
            let paths = ["/a", "/b", "/c"]
            try await client.send(paths.map { RunningProxy.request("GET", $0) }.joined())
            for _ in paths { #expect(try await client.message().body == "Bearer hidden-access-2") }
            #expect(paths.map { provider.count($0) } == [2, 1, 1])
            #expect(granting.grants == ["password", "refresh"])
        }
    }

    @Test("When the vault tells of it, no event loop uses the token before any more")
    func forgottenByAllLoops() async throws {
        let granting = GrantingProvider()
        try await ScriptedProvider.with(answer: { request, _ in granting.answer(request) }) { provider in
            var setup = ProxySetup.passwordGrant(port: provider.upstream.port)
            setup.isTwoLooped = true
            try await RunningProxy.with(setup) { proxy in
                for answer in try await proxy.gets(20) { #expect(answer.status == 200) }
                granting.expireAccessTokens()
                #expect(try await proxy.get().body == "Bearer hidden-access-2")
                // As a watch does, once the token is stored.
                await proxy.server.generation.invalidation.forgetAccount(
                    CredentialName(api: "api", account: "default")
                )
                for answer in try await proxy.gets(20) { #expect(answer.body == "Bearer hidden-access-2") }
                #expect(granting.grants == ["password", "refresh"])
                // One request alone was sent twice.
                #expect(provider.count("/") == 42)
            }
        }
    }

    @Test("An older token that is refused has the newest one exchanged, which was refused before and is stored")
    func olderIsRefused() async throws {
        let granting = GrantingProvider(life: nil)
        try await ScriptedProvider.with(answer: { request, _ in granting.answer(request) }) { provider in
            let setup = ProxySetup.passwordGrant(port: provider.upstream.port)
            try await RunningProxy.with(setup) { proxy in
                #expect(try await proxy.get().body == "Bearer hidden-access-1")
                granting.expireAccessTokens()
                #expect(try await proxy.get().body == "Bearer hidden-access-2")
                // A token that was refused at once would not be exchanged.
                await proxy.clock.advance(by: .seconds(60))
                granting.expireAccessTokens()
                granting.fail(with: ScriptedProvider.answer("503 Down", ""))
                #expect(try await proxy.get().status != 200)
                granting.fail(with: nil)
                await proxy.clock.advance(by: .seconds(60))
                let worker = try #require(proxy.server.generation.workers.values.first)
                let transport = try await worker.eventLoop.submit { worker.value.exchanges.tokens.transport }.get()
                // As an event loop does which has had no request since the first token.
                _ = proxy.server.generation.keeper.refuse(
                    .access(AccessToken(Secret("hidden-access-1"))),
                    generation: 1,
                    of: .configured(api: 0, account: 0),
                    account: setup.apis[0].accounts[0],
                    transport: transport,
                    client: nil
                )
                #expect(try await proxy.get().body == "Bearer hidden-access-3")
            }
        }
    }

    @Test("A client that leaves meanwhile does not stop it")
    func outlivesClient() async throws {
        let gate = Gate()
        let answer: @Sendable (GrantingProvider, Message) async -> String = { granting, request in
            if request.body.contains("refresh_token") { await gate.wait() }
            return granting.answer(request)
        }
        try await with(answer: answer) { proxy, granting, provider in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            try await provider.received(2, at: GrantingProvider.path)
            await client.close()
            gate.open()
            #expect(try await proxy.get().body == "Bearer hidden-access-2")
            #expect(granting.grants == ["password", "refresh"])
        }
    }

    @Test("A proxy that is stopped meanwhile hands out the provider's refusal, or ends the connection")
    func endsWithProxy() async throws {
        let gate = Gate()
        let answer: @Sendable (GrantingProvider, Message) async -> String = { granting, request in
            if request.body.contains("refresh_token") { await gate.wait() }
            return granting.answer(request)
        }
        try await with(answer: answer) { proxy, _, provider in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            try await provider.received(2, at: GrantingProvider.path)
            await proxy.drain()
            proxy.server.cutDrainShort()
            let rest = try await client.rest().received
            #expect(rest.isEmpty || rest.hasPrefix("HTTP/1.1 401") || rest.hasPrefix("HTTP/1.1 503"), "\(rest)")
            gate.open()
        }
    }

    @Test("A refusal that is too large to be held back is the client's, and the next request has a new token")
    func renewsAfterLargeRefusal() async throws {
        let page = String(repeating: "x", count: 100_000)
        let answer: @Sendable (GrantingProvider, Message) async -> String = { granting, request in
            let answer = granting.answer(request)
            return answer.contains("401") ? ScriptedProvider.answer("401 No", page) : answer
        }
        try await with(answer: answer) { proxy, granting, _ in
            let refused = try await proxy.get()
            #expect(refused.status == 401)
            #expect(refused.body == page)
            #expect(refused.refusal?.receivedStatus == 401)
            // It is there a moment later.
            while try await proxy.get().body != "Bearer hidden-access-2" { try Task.checkCancellation() }
            #expect(granting.grants == ["password", "refresh"])
        }
    }

    @Test("A refusal in the middle of an upload is the client's, and the next request has a new token")
    func renewsForNext() async throws {
        let granting = GrantingProvider()
        let upstream = try await ScriptedUpstream.start()
        try await RunningProxy.with(.passwordGrant(port: upstream.port)) { proxy in
            func serve(_ server: Wire, requests: Int = .max) async {
                var served = 0
                while served < requests, let request = try? await server.message() {
                    served += 1
                    try? await server.send(granting.answer(request))
                }
            }
            let client = try await proxy.connect()
            try await client.send(RunningProxy.request("POST", fields: "Content-Length: 10\n") + "[1,2,")
            // The connection that the token came on is free when the request goes out.
            let server = try await upstream.accept()
            await serve(server, requests: 1)
            let head = try await server.head()
            #expect(head["Authorization"] == "Bearer hidden-access-1")
            granting.expireAccessTokens()
            try await server.send(granting.answer(head))
            let answer = try await client.message()
            #expect(answer.status == 401)
            #expect(answer.refusal?.receivedStatus == 401)
            let renewer = try await upstream.accept()
            try await client.send("3,4]_")
            _ = try await server.bytes(10)
            // Whichever of the connections the next one goes on.
            async let first: Void = serve(server)
            async let second: Void = serve(renewer)
            try await client.send(plainGet)
            #expect(try await client.message().body == "Bearer hidden-access-2")
            #expect(granting.grants == ["password", "refresh"])
            for server in [server, renewer] { await server.close() }
            _ = await (first, second)
        }
        await upstream.stop()
    }
}
