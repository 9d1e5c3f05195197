import NIOCore
import NIOPosix
import ProviderSimulator
import ServiceLifecycle
import TestSupport
import Testing

@Suite(.generousLimit, .timed) struct DisturbanceTests {
    private let scene = ServerScene()
    private let identity = "/1.1/account/verify_credentials.json"

    @Test func `a connection is closed without an answer, once`() async throws {
        scene.test.provider.disturb(.identity, with: .close)
        try await scene.withServer { send in
            let first = try await send(try .signed("GET", identity))
            #expect(first == "")
            let second = try await send(try .signed("GET", identity))
            #expect(second.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(second)")
        }
        let event = try #require(scene.test.provider.ledger.events.first)
        #expect(event.answer == nil)
        #expect(event.endpoint == .identity)
    }

    @Test func `bytes that are not HTTP go through TLS`() async throws {
        scene.test.provider.disturb(.requestToken, with: .bytes(Array("garbage".utf8)))
        try await scene.withServer { send in
            let answer = try await send(try .requestToken())
            #expect(answer == "garbage")
        }
    }

    @Test func `an answer is held back until the gate opens`() async throws {
        let gate = ProviderGate()
        scene.test.provider.disturb(.requestToken, with: .hold(gate))
        try await scene.withServer { send in
            async let held = send(try .requestToken(nonce: "held"))
            // It was not let through when later ones are.
            let other = try await send(try .signed("GET", identity))
            #expect(other.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(other)")
            #expect(scene.test.provider.ledger.requests(for: .requestToken) == 0)
            gate.open()
            let answer = try await held
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(answer)")
        }
        #expect(scene.test.provider.ledger.requests(for: .requestToken) == 1)
    }

    @Test func `silence lasts until the server stops`() async throws {
        scene.test.provider.disturb(.resource, with: .silence)
        let events = scene.test.provider.ledger.newEvents()
        let server = try scene.makeServer()
        let services = ServiceGroup(services: [server], logger: server.testLogger)
        async let run: Void = services.run()
        let address = try await server.address
        let request = try ServerScene.text(.signed())
        let answer = Task {
            try await TLSClient.exchange(request, to: address, name: "api.test", trusting: server.certificates.rootPEM)
        }
        for await event in events {
            #expect(event.answer == nil)
            break
        }
        await services.triggerGracefulShutdown()
        try await run
        await #expect(throws: (any Error).self) { try await answer.value }
    }
}
