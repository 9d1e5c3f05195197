import Credentials
import NIOCore
import OAuthSigning
import Settings
import Testing
import TestSupport

@testable import ForwardProxy

@Suite("Tokens that are exchanged on first use", .generousLimit, .timed)
struct FirstUseTokenTests {
    private let step1 = ScriptedProvider.answer(
        "200 OK",
        #"OAuth oauth_consumer_key="key", oauth_signature="x", oauth_nonce="n", oauth_timestamp="1""#,
        fields: "Content-Type: text/html\n"
    )

    private func step2(_ token: String) -> String {
        ScriptedProvider.answer("200 OK", "oauth_token=\(token)&oauth_token_secret=hidden-issued&user_id=7")
    }

    private func exchanging(_ provider: ScriptedProvider) -> ProxySetup {
        exchanging(port: provider.upstream.port)
    }

    private func exchanging(port: Int) -> ProxySetup {
        var setup = ProxySetup(apis: [ProxySetup.API(port: port)])
        let settings = ReverseAuthSettings(
            requestTokenURL: "http://api.test/request_token",
            accessTokenURL: "http://api.test/access_token",
            signedAs: (
                ClientCredentials(identifier: "platform", sharedSecret: Secret("hidden-platform")),
                TokenCredentials(token: "platform-token", secret: Secret("hidden-platform-token"))
            )
        )
        setup.apis[0].accounts = [AccountSettings(name: "default", source: .reverseAuth(settings))]
        return setup
    }

    /// Plays the exchange; all else is `resource`'s.
    private func provider(
        resource: @escaping @Sendable (Message, Int) -> String = { _, _ in ScriptedProvider.answer("200 OK", "ok") }
    ) -> ScriptedProvider.Answer {
        { [step1] request, count in
            switch request.target {
            case "/request_token": step1
            case "/access_token": step2("issued-\(count)")
            default: resource(request, count)
            }
        }
    }

    private func answers(_ proxy: RunningProxy, count: Int) async throws -> [Message] {
        try await withThrowingTaskGroup(of: Message.self) { tasks in
            for _ in 0..<count { tasks.addTask { try await proxy.answer(to: plainGet) } }
            return try await tasks.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("Fifty requests at once cost one exchange, and all are signed with its token")
    func exchangesOnce() async throws {
        let answer = provider { request, _ in
            let isSigned = request["Authorization"]?.contains(#"oauth_token="issued-1""#) == true
            return ScriptedProvider.answer(isSigned ? "200 OK" : "400 Bad Request")
        }
        try await ScriptedProvider.with(answer: answer) { provider in
            var setup = exchanging(provider)
            setup.isTwoLooped = true
            try await RunningProxy.with(setup) { proxy in
                let answers = try await answers(proxy, count: 50)
                #expect(answers.allSatisfy { $0.status == 200 })
                #expect(provider.count("/request_token") == 1)
                #expect(provider.count("/access_token") == 1)
                #expect(provider.count("/") == 50)
            }
        }
    }

    @Test("A token survives a restart")
    func keepsToken() async throws {
        try await ScriptedProvider.with(answer: provider()) { provider in
            let directory = try TestDirectory()
            let key = VaultKey.generate()
            for _ in 0..<2 {
                try await RunningProxy.with(exchanging(provider), vaultDirectory: directory, vaultKey: key) { proxy in
                    let answer = try await proxy.answer(to: plainGet)
                    #expect(answer.status == 200)
                }
            }
            #expect(provider.count("/access_token") == 1)
        }
    }

    @Test("A failed exchange is answered to everyone who waits, and not tried again at once", arguments: [1, 2])
    func answersFailure(step: Int) async throws {
        let refusal = ScriptedProvider.answer("401 Unauthorized", "Failed to validate oauth signature and token")
        let path = step == 1 ? "/request_token" : "/access_token"
        let success = provider()
        try await ScriptedProvider.with(answer: { $0.target == path ? refusal : await success($0, $1) }) { provider in
            try await RunningProxy.with(exchanging(provider)) { proxy in
                for answer in try await answers(proxy, count: 10) {
                    #expect(answer.status == 502, "\(answer.lines)")
                    #expect(answer.proxyError == "http_request_denied")
                    #expect(answer.body.contains("step \(step)"))
                    #expect(answer.body.contains("401"))
                }
                // The provider is left alone for twice as long after each failure.
                for (count, pause) in [(1, 1), (2, 2)] {
                    let later = try await proxy.answer(to: plainGet)
                    #expect(later.status == 502)
                    #expect(later["Retry-After"] == "\(pause)")
                    #expect(provider.count(path) == count)
                    await proxy.clock.advance(by: .seconds(Int64(pause)))
                    #expect(try await proxy.answer(to: plainGet).status == 502)
                    #expect(provider.count(path) == count + 1)
                }
                #expect(provider.count("/") == 0)
            }
        }
    }

    @Test("A provider that cannot be reached is told with the step")
    func answersUnreachable() async throws {
        try await UnusedPort.with { port in
            let answer = try await RunningProxy.with(exchanging(port: port)) { proxy in
                try await proxy.answer(to: plainGet)
            }
            #expect(answer.status == 502)
            #expect(answer.body.contains("step 1"))
        }
    }

    @Test("More requests than may wait are told to come back")
    func limitsWaiters() async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = exchanging(port: upstream.port)
        setup.limits.exchangeWaiters = 1
        try await RunningProxy.with(setup) { proxy in
            let first = try await proxy.connect()
            try await first.send(plainGet)
            // The exchange is under way when its request is there.
            let server = try await upstream.accept()
            _ = try await server.head()
            let second = try await proxy.answer(to: plainGet)
            #expect(second.status == 503)
            #expect(second.proxyError == "connection_limit_reached")
            #expect(second["Retry-After"] != nil)
        }
        await upstream.stop()
    }

    @Test("One client's requests leave another's room to wait, and their places are free when they have gone")
    func sharesWaiters() async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = exchanging(port: upstream.port)
        setup.limits.exchangeWaiters = 17
        try await RunningProxy.with(setup) { proxy in
            func ask(_ count: Int, from address: String) async throws -> [Wire] {
                var wires: [Wire] = []
                for _ in 0..<count {
                    wires.append(try await Wire.connect(from: address, port: proxy.port))
                    try await wires.last?.send(plainGet)
                }
                return wires
            }
            let keeper = proxy.server.generation.keeper
            let many = try await ask(16, from: "127.0.0.1")
            let server = try await upstream.accept()
            try await proxy.wait { keeper.waitingCount == 16 }
            let refused = try await ask(1, from: "127.0.0.1")
            #expect(try await refused[0].message().status == 503)
            let other = try await ask(1, from: "127.0.0.2")
            try await proxy.wait { keeper.waitingCount == 17 }
            for wire in many { try await wire.reset() }
            try await proxy.wait { keeper.waitingCount == 1 }
            // Eight ninths of what the other one leaves.
            let again = try await ask(15, from: "127.0.0.1")
            try await proxy.wait { keeper.waitingCount == 16 }
            await server.close()
            // The failure of the exchange that they waited for.
            for wire in other + again { #expect(try await wire.message().status == 502) }
        }
        await upstream.stop()
    }

    @Test("A request that is given up makes room for another to wait")
    func givesPlaceBack() async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = exchanging(port: upstream.port)
        setup.limits.exchangeWaiters = 1
        try await RunningProxy.with(setup) { proxy in
            let first = try await proxy.connect()
            try await first.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await first.reset()
            #expect(try await proxy.accessLogLine()["outcome"] as? String == "client closed")
            let second = try await proxy.connect()
            try await second.send(plainGet)
            // Its place is the one that the first one has given back.
            let keeper = proxy.server.generation.keeper
            while keeper.waitingCount == 0, !Task.isCancelled { await Task.yield() }
            await server.close()
            // The failure of the exchange that it waited for, not of its own waiting.
            #expect(try await second.message().status == 502)
        }
        await upstream.stop()
    }

    private static let refusal = ScriptedProvider.answer(
        "401 Unauthorized",
        #"{"errors":[{"code":89,"message":"Invalid or expired token."}]}"#
    )

    @Test(
        "A token that is refused is exchanged once for everyone, and the requests are repeated",
        arguments: ["GET", "POST"]
    )
    func renewsToken(method: String) async throws {
        let answer = provider { request, _ in
            request["Authorization"]?.contains("issued-1") == true
                ? Self.refusal : ScriptedProvider.answer("200 OK", request.body)
        }
        try await ScriptedProvider.with(answer: answer) { provider in
            try await RunningProxy.with(exchanging(provider)) { proxy in
                let body = method == "POST" ? #"{"a":1}"# : ""
                let request =
                    "\(method) http://api.test/ HTTP/1.1\nHost: api.test\nContent-Type: application/json\n"
                    + "Content-Length: \(body.utf8.count)\n\n\(body)"
                let answers = try await withThrowingTaskGroup(of: Message.self) { tasks in
                    for _ in 0..<8 { tasks.addTask { try await proxy.answer(to: request) } }
                    return try await tasks.reduce(into: [Message]()) { $0.append($1) }
                }
                #expect(answers.allSatisfy { $0.status == 200 && $0.body == body })
                #expect(provider.count("/access_token") == 2)
            }
        }
    }

    @Test("A new token that is refused too is not exchanged again: the provider's answer goes to the client")
    func renewsOnce() async throws {
        try await ScriptedProvider.with(answer: provider { _, _ in Self.refusal }) { provider in
            try await RunningProxy.with(exchanging(provider)) { proxy in
                let answer = try await proxy.answer(to: plainGet)
                #expect(answer.status == 401)
                #expect(answer.body.contains("89"))
                let status = try #require(answer["Proxy-Status"])
                #expect(status.hasPrefix("paraph; received-status=401; details=\"Token refused"))
                #expect(provider.count("/access_token") == 2)
                #expect(provider.count("/") == 2)
            }
        }
    }

    @Test("A refusal of something other than the token goes to the client as it is")
    func passesOtherRefusals() async throws {
        let refusal = ScriptedProvider.answer("401 Unauthorized", "oauth_problem=signature_invalid", fields: "X: y\n")
        try await ScriptedProvider.with(answer: provider { _, _ in refusal }) { provider in
            try await RunningProxy.with(exchanging(provider)) { proxy in
                let answer = try await proxy.answer(to: plainGet)
                #expect(answer.status == 401)
                #expect(answer.body == "oauth_problem=signature_invalid")
                #expect(answer["X"] == "y")
                #expect(provider.count("/access_token") == 1)
            }
        }
    }

    @Test("A body that is too large to have been kept is not repeated, but the next request has a new token")
    func passesRefusalOfLargeBody() async throws {
        let answer = provider { request, _ in
            request["Authorization"]?.contains("issued-1") == true ? Self.refusal : ScriptedProvider.answer("200 OK")
        }
        try await ScriptedProvider.with(answer: answer) { provider in
            try await RunningProxy.with(exchanging(provider)) { proxy in
                let body = String(repeating: "x", count: 100_000)
                let large = try await proxy.answer(
                    to: "PUT http://api.test/ HTTP/1.1\nHost: api.test\nContent-Length: 100000\n\n\(body)"
                )
                #expect(large.status == 401)
                #expect(try await proxy.answer(to: plainGet).status == 200)
                #expect(provider.count("/access_token") == 2)
            }
        }
    }

    @Test("A refusal that is cut is the client's as it came, cut")
    func passesCutRefusal() async throws {
        let upstream = try await ScriptedUpstream.start()
        try await RunningProxy.with(exchanging(port: upstream.port)) { proxy in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let first = try await upstream.accept()
            _ = try await first.message()
            try await first.send(step1)
            // Each step is on a connection that is new.
            let second = try await upstream.accept()
            _ = try await second.message()
            try await second.send(step2("issued-1"))
            let server = second
            _ = try await server.head()
            try await server.send("HTTP/1.1 401 Unauthorized\nContent-Length: 100\n\nInvalid")
            await server.close()
            let answer = try await client.head()
            #expect(answer.status == 401)
            #expect(try await client.bytes(7) == "Invalid")
            #expect(try await client.rest().end == .cut)
        }
        await upstream.stop()
    }

    @Test("Neither log tells a secret, whatever goes wrong")
    func keepsSecrets() async throws {
        let answer = provider { request, count in
            count == 1 ? Self.refusal : ScriptedProvider.answer("200 OK", "ok")
        }
        try await ScriptedProvider.with(answer: answer) { provider in
            try await RunningProxy.with(exchanging(provider)) { proxy in
                let request =
                    "GET http://api.test/?oauth_secret=hidden-query HTTP/1.1\nHost: api.test\n"
                    + "Proxy-Authorization: Basic ZGVmYXVsdDpoaWRkZW4=\n\n"
                #expect(try await proxy.answer(to: request).status == 200)
                let access = try await proxy.accessLogText(lines: 1)
                for text in [access, proxy.log.text] {
                    #expect(!text.contains("hidden"))
                    #expect(!text.contains("oauth_signature"))
                    #expect(!text.contains("ZGVmYXVsdDpoaWRkZW4"))
                }
                #expect(proxy.log.text.contains("token obtained by reverse auth"))
            }
        }
    }

    @Test("A proxy that is stopped in the middle of an exchange does not wait for it for long")
    func stopsInExchange() async throws {
        let upstream = try await ScriptedUpstream.start()
        let client = try await RunningProxy.with(exchanging(port: upstream.port)) { proxy in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            _ = try await upstream.accept().head()
            return client
        }
        // The provider has not answered, and the time for that is not over.
        let rest = try await client.rest()
        #expect(rest.received.isEmpty)
        #expect(rest.end == .clean)
        await upstream.stop()
    }
}
