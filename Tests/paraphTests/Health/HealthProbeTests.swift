import NIOCore
import NIOPosix
import Settings
import TestSupport
import Testing

@testable import paraph

@Suite("The question whether the proxy is ready", .generousLimit, .timed)
struct HealthProbeTests {
    private static let head = "HTTP/1.1 200 OK\r\nServer: paraph\r\nContent-Length: 6\r\n\r\n"

    @Test(
        "is answered by the admin listener",
        arguments: [
            (head + "ready\n", nil),
            (
                "HTTP/1.1 503 Service Unavailable\r\nserver: paraph\r\n\r\nnot ready: vault, proxy\n",
                "the proxy at ADDRESS says: not ready: vault, proxy"
            ),
            ("HTTP/1.1 403 Forbidden\r\nServer: paraph\r\n\r\na\u{1b}[31m\nb", "the proxy at ADDRESS says: a[31m b"),
            (
                "HTTP/1.1 200 OK\r\nServer: nginx\r\n\r\nready\n",
                "another program listens at ADDRESS (listen.admin)"
            ),
            ("HTTP/1.1 200 OK\r\n\r\n", "another program listens at ADDRESS (listen.admin)"),
            ("SSH-2.0-x\r\n", "no proxy answers at ADDRESS (listen.admin): it does not speak HTTP"),
            ("", "no proxy answers at ADDRESS (listen.admin): it does not speak HTTP"),
        ] as [(String, String?)]
    )
    func answers(answer: String, problem: String?) async throws {
        let listener = try await CannedListener(answer)
        let address = ListenAddress(host: "127.0.0.1", port: listener.port)
        let found = await HealthProbe(address: address, timeout: .minutes(10)).problem()
        #expect(found == problem?.replacing("ADDRESS", with: "\(address)"))
        #expect(await listener.request.hasPrefix("GET /readyz HTTP/1.1\r\nHost: \(address)\r\n"))
        try await listener.close()
    }

    @Test("is another one where it is asked whether the process is up")
    func live() async throws {
        let listener = try await CannedListener(Self.head + "ok\n")
        let address = ListenAddress(host: "127.0.0.1", port: listener.port)
        #expect(await HealthProbe(address: address, timeout: .minutes(10), question: .isLive).problem() == nil)
        #expect(await listener.request.hasPrefix("GET /healthz HTTP/1.1\r\n"))
        try await listener.close()
    }

    @Test("is asked on loopback where the listener is on every address", arguments: ["0.0.0.0", "localhost"])
    func everyAddress(host: String) async throws {
        let listener = try await CannedListener(Self.head + "ready\n")
        let address = ListenAddress(host: host, port: listener.port)
        #expect(await HealthProbe(address: address, timeout: .minutes(10)).problem() == nil)
        try await listener.close()
    }

    @Test("is over when nobody answers in time", arguments: [nil, head + "rea"] as [String?])
    func silence(beginning: String?) async throws {
        let listener = try await CannedListener(beginning, closes: false)
        let address = ListenAddress(host: "127.0.0.1", port: listener.port)
        let problem = await HealthProbe(address: address, timeout: .milliseconds(100)).problem()
        #expect(problem == "no proxy answers at \(address) (listen.admin): it does not answer in time")
        try await listener.close()
    }

    @Test("is in vain where nobody listens")
    func nobody() async throws {
        // The port of a client: it is in use, and nobody else gets it.
        let listener = try await CannedListener(nil, closes: false)
        let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: listener.port)
            .get()
        let address = ListenAddress(host: "127.0.0.1", port: try #require(client.localAddress?.port))
        let problem = await HealthProbe(address: address, timeout: .minutes(10)).problem()
        #expect(
            problem
                == "no proxy answers at \(address) (listen.admin): nothing listens there (connection refused)"
        )
        try await client.close()
        try await listener.close()
    }

    @Test(
        "has a time that is written as in the configuration",
        arguments: [
            ("250ms", .milliseconds(250)), ("3s", .seconds(3)), ("1h", .hours(1)), ("0s", nil), ("61m", nil),
            ("3", nil),
            ("-1s", nil), ("", nil), ("s", nil), ("99999999999999999999s", nil), ("9223372036854775807h", nil),
        ] as [(String, TimeAmount?)]
    )
    func timeout(text: String, amount: TimeAmount?) {
        #expect(ProbeTimeout(argument: text)?.amount == amount)
    }
}
