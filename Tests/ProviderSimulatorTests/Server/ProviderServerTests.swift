import FoundationEssentials
import Logging
import NIOCore
import NIOPosix
import OAuthSigning
import ProviderSimulator
import ServiceLifecycle
import TestSupport
import Testing

@Suite(.generousLimit, .timed) struct ProviderServerTests {
    private let scene = ServerScene()

    @Test func `a request is verified as it came through TLS`() async throws {
        try await scene.withServer { send in
            let response = try await send(try .signed("GET", "/a%2fb?q=%7e&x=1+2&&y"))
            #expect(response.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(response)")
            #expect(response.contains("\"url\" : \"https://api.test/a%2fb?q=%7e&x=1+2&&y\""))
        }
        let event = try #require(scene.test.provider.ledger.events.first)
        #expect(event.request.tlsVersion == "TLS 1.3")
        #expect(event.request.target == "/a%2fb?q=%7e&x=1+2&&y")
        #expect(event.verified?.token == "user-token")
    }

    @Test func `both steps of reverse auth go over the wire`() async throws {
        try await scene.withServer { send in
            let step1 = try await send(try .requestToken())
            let text = try #require(step1.split(separator: "\r\n\r\n").last)
            let step2 = try await send(try .accessToken(parameters: String(text)))
            #expect(step2.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(step2)")
            #expect(step2.lowercased().contains("content-type: text/html"))
        }
        #expect(scene.test.provider.ledger.tokensIssued == 1)
    }

    @Test func `a refusal has its challenge`() async throws {
        try await scene.withServer { send in
            let response = try await send(ReceivedRequest(method: "GET", target: "/", authority: "api.test"))
            #expect(response.hasPrefix("HTTP/1.1 401 Unauthorized\r\n"))
            #expect(response.contains("OAuth realm=\"https://api.test\", oauth_problem=\"parameter_absent\""))
            #expect(response.contains("\r\nDate: "))
        }
    }

    @Test func `HEAD has no body`() async throws {
        try await scene.withServer { send in
            let response = try await send(try .signed("HEAD"))
            #expect(response.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(response.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func `the address of a server that cannot listen is an error`() async throws {
        // An address of RFC 5737, which no machine has.
        let server = try scene.makeServer(host: "192.0.2.1")
        let run = Task { try await server.run() }
        await #expect(throws: (any Error).self) { try await server.address }
        await #expect(throws: (any Error).self) { try await run.value }
    }

    @Test func `Date is by the provider's clock`() async throws {
        scene.test.provider.setClock(offset: -1_000_000_000)
        try await scene.withServer { send in
            let response = try await send(ReceivedRequest(method: "GET", target: "/", authority: "api.test"))
            #expect(response.contains("\r\nDate: Sat, 07 Mar 1992 20:26:40 GMT\r\n"), "\(response)")
            #expect(response.split(separator: "\r\n").filter { $0.lowercased().hasPrefix("date:") }.count == 1)
        }
    }

    @Test func `it stops while a client is connected`() async throws {
        let server = try scene.makeServer()
        let services = ServiceGroup(services: [server], logger: server.testLogger)
        let run = Task { try await services.run() }
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(to: try await server.address)
            .get()
        await services.triggerGracefulShutdown()
        await #expect(throws: Never.self) { try await run.value }
        await #expect(throws: Never.self) { try await channel.closeFuture.get() }
    }
}
