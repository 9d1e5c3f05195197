import Bytes
import Credentials
import NIOCore
import NIOPosix
import OAuthSigning
import Routing
import Settings
import TestSupport
import Testing
import UpstreamTrust

@testable import ForwardProxy

@Suite("Requests to providers without a proxy", .generousLimit, .timed)
struct ProviderClientTests {
    /// xAuth's.
    private func request(_ url: String) throws -> ExchangeRequest {
        var exchange = XAuthExchange(
            settings: XAuthSettings(
                accessTokenURL: url,
                login: PasswordCredentials(username: "alice", password: Secret("hidden-password"))
            ),
            oauth1: OAuth1Settings(client: ProxySetup.Secrets.client)
        )
        return try exchange.start(nonce: "n", timestamp: 1)
    }

    private func client(
        _ setup: ProxySetup,
        networks: NetworkPolicy = NetworkPolicy(denied: []),
        clock: ManualClock = ManualClock()
    ) async throws -> ProviderClient {
        try await ProviderClient(
            apis: setup.settings().apis,
            networks: networks,
            timeouts: setup.timeouts,
            clock: clock,
            group: MultiThreadedEventLoopGroup.singleton
        )
    }

    private func expectFailure(
        _ client: ProviderClient,
        _ url: String = "https://api.test/x",
        cause: ExchangeFailure.Cause,
        says words: String = ""
    ) async throws {
        let request = try request(url)
        let failure = await #expect(throws: ExchangeFailure.self) { try await client.send(request, api: 0) }
        #expect(failure?.cause == cause)
        #expect(failure?.detail.contains("xAuth") == true)
        #expect(failure?.detail.contains(words) == true, "\(failure?.detail ?? "")")
        #expect(failure?.detail.contains("hidden") == false)
    }

    @Test("One whose head would be too large is told as that, and no connection is made for it")
    func refusesHugeHeads() async throws {
        let answer: ScriptedProvider.Answer = { _, _ in ScriptedProvider.answer("200 OK") }
        try await ScriptedProvider.with(isSecure: true, answer: answer) { provider in
            let client = try await client(ProxySetup(secure: provider.upstream))
            let url = "https://api.test/x?a=" + String(repeating: "b", count: 70_000)
            try await expectFailure(client, url, cause: .unreachable, says: "too large")
            #expect(provider.upstream.connectionCount == 0)
        }
    }

    @Test("They are signed, whole, on a connection of their own, and redirects are not followed")
    func sends() async throws {
        let answer: ScriptedProvider.Answer = { request, _ in
            guard (try? verify(request, scheme: .https)) != nil, request["Host"] == "api.test" else {
                return ScriptedProvider.answer("400 No")
            }
            return ScriptedProvider.answer("302 Found", "over there", fields: "Location: https://api.test/y\n")
        }
        try await ScriptedProvider.with(isSecure: true, answer: answer) { provider in
            let client = try await client(ProxySetup(secure: provider.upstream))
            for count in 1...2 {
                let response = try await client.send(request("https://api.test/x"), api: 0)
                #expect(response.status == 302)
                #expect(response.body == Array("over there".utf8))
                #expect(response.fields.contains { $0 == ("Location", "https://api.test/y") })
                #expect(provider.count("/x") == count)
            }
            #expect(provider.count("/y") == 0)
        }
    }

    @Test("A provider that is not trusted is sent nothing")
    func distrusts() async throws {
        let upstream = try await ScriptedUpstream.start(identity: ServerIdentity(ServerIdentity.foreign.get()))
        try await expectFailure(client(ProxySetup(secure: upstream)), cause: .notTrusted, says: "certificate")
        #expect(upstream.receivedBytes == 0)
        await upstream.stop()
    }

    @Test("A provider is sent nothing whose address is denied, or whose scheme is not the API's")
    func obeysPolicy() async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = ProxySetup(plain: upstream)
        try await expectFailure(client(setup), cause: .settings)
        setup.apis[0].upstream = .https
        try await expectFailure(client(setup), "http://api.test/x", cause: .settings)
        #expect(upstream.connectionCount == 0)
        await upstream.stop()
    }

    @Test("A provider that is silent, hangs up or talks on and on is told", arguments: [0, 1, 2])
    func tellsTrouble(kind: Int) async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = ProxySetup(plain: upstream)
        setup.timeouts.responseHeader = .seconds(5)
        let clock = ManualClock()
        let client = try await client(setup, clock: clock)
        async let failure: Void = expectFailure(
            client,
            "http://api.test/x",
            cause: [.timedOut, .unreachable, .oversizedAnswer][kind]
        )
        let server = try await upstream.accept()
        _ = try await server.message()
        switch kind {
        case 0: try await clock.expire(.seconds(5))
        case 1: await server.close()
        default:
            try await server.send("HTTP/1.1 200 OK\nContent-Length: 300000\n\n")
            try? await server.sendBytes(ByteBuffer(repeating: 0x78, count: 300_000))
        }
        try await failure
        await upstream.stop()
    }
}
