import NIOCore
import NIOEmbedded
import NIOSSL
import Routing
import Settings
import Testing

@testable import ForwardProxy

/// The answers to a client that need no exchange. The rest is for the tests over sockets.
@Suite("A client's connection")
struct ClientHandlerTests {
    private final class Connection {
        let proxy: EmbeddedProxy
        let loop: ProxyLoop
        let channel: EmbeddedChannel
        let handler: ClientHandler

        init(_ setup: ProxySetup = .unconnected, isToGateway: Bool = false, overLimit: Shortage? = nil) throws {
            proxy = try EmbeddedProxy(setup)
            loop = ProxyLoop(worker: proxy.worker, registry: proxy.common.sharedRegistry)
            let gateway = proxy.worker.settings.listeners.first { $0.purpose.api != nil }
            handler = ClientHandler(
                proxyLoop: loop,
                peer: EmbeddedProxy.peer,
                overLimit: overLimit,
                gateway: isToGateway ? gateway.map { GatewayConnection(listener: $0.key, address: nil) } : nil
            )
            channel = EmbeddedChannel(handler: handler, loop: proxy.clock.loop)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        /// Passes bytes to the handler by one read.
        func receive(_ text: String) throws {
            try channel.writeInbound(ByteBuffer(string: text))
            proxy.clock.loop.run()
        }

        func endInput() {
            channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            proxy.clock.loop.run()
        }

        func pass(_ time: TimeAmount) { proxy.clock.loop.advanceTime(by: time) }

        /// Takes what has been written since it was taken the last time.
        func sent() throws -> String {
            var sent = ""
            while let bytes = try channel.readOutbound(as: ByteBuffer.self) { sent += String(buffer: bytes) }
            return sent
        }

        /// Replaces the configuration that requests are served by.
        func reload(_ setup: ProxySetup) throws {
            try proxy.reload(setup)
            _ = loop.replaceWorker(proxy.worker) {}
        }

        func holds<Handler: ChannelHandler>(_ type: Handler.Type) -> Bool {
            (try? channel.pipeline.syncOperations.handler(type: type)) != nil
        }
    }

    private static let methodRefused = Problem(.methodNotAllowed(api: "second"))
    private static let notARequest = "GET / HTTP/1.1\r\nHost: api.test\r\n\r\n"
    /// One after which the connection goes on.
    private static let refused = "POST http://second.test/ HTTP/1.1\r\nHost: second.test\r\n\r\n"

    private func answer(_ problem: Problem, omitsBody: Bool = false, closes: Bool) -> String {
        String(buffer: ProblemResponse.bytes(for: problem, omitsBody: omitsBody, closes: closes))
    }

    // MARK: First bytes

    @Test(
        "A client that speaks TLS to a listener without is told so at the first byte, and by each listener its own",
        arguments: ["\u{16}", "\u{16}\u{3}\u{1}\u{2}\n", "\r\n\u{16}\u{3}"],
        [false, true]
    )
    func tls(bytes: String, isToGateway: Bool) throws {
        var setup = ProxySetup.unconnected
        setup.apis[0].gateway = GatewaySettings()
        let connection = try Connection(setup, isToGateway: isToGateway)
        try connection.receive(bytes)
        #expect(try connection.sent() == answer(isToGateway ? .tlsToGateway : .tlsToProxy, closes: true))
        #expect(!connection.channel.isActive)
    }

    @Test(
        "What is neither TLS nor HTTP is told to be no request",
        arguments: ["\u{17}\u{3}", "\u{0}", "\n", "G\u{16} / HTTP/1.1\r\nHost: api.test\r\n\r\n"]
    )
    func noHTTP(bytes: String) throws {
        let connection = try Connection()
        try connection.receive(bytes)
        let sent = try connection.sent()
        #expect(sent.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(sent.contains("The request is malformed"))
        #expect(!connection.channel.isActive)
    }

    @Test("A request is answered when it is whole, however many reads bring it")
    func pieces() throws {
        let connection = try Connection()
        for character in Self.notARequest.unicodeScalars.dropLast() { try connection.receive(String(character)) }
        #expect(try connection.sent() == "")
        #expect(connection.channel.isActive)
        try connection.receive("\n")
        #expect(try connection.sent() == answer(.notAProxyRequest, closes: true))
        #expect(!connection.channel.isActive)
    }

    @Test("Several that one read brings are each answered, and the connection goes on")
    func pipelined() throws {
        let connection = try Connection()
        try connection.receive(Self.refused + Self.refused + "POST")
        let one = answer(Self.methodRefused, closes: false)
        #expect(try connection.sent() == one + one)
        #expect(connection.channel.isActive)
        try connection.receive(String(Self.refused.dropFirst("POST".count)))
        #expect(try connection.sent() == one)
    }

    @Test("Nothing behind the last answer is one's own")
    func behindLast() throws {
        let connection = try Connection()
        try connection.receive(Self.notARequest + Self.refused)
        #expect(try connection.sent() == answer(.notAProxyRequest, closes: true))
    }

    @Test("The answer to HEAD has no body")
    func head() throws {
        let connection = try Connection()
        try connection.receive("HEAD / HTTP/1.1\r\nHost: api.test\r\n\r\n")
        #expect(try connection.sent() == answer(.notAProxyRequest, omitsBody: true, closes: true))
    }

    // MARK: End of input

    @Test(
        "A client that has left gets the answers to what it sent in full, and no other one",
        arguments: [
            ("", 0), ("PO", 0), (Self.refused, 1), (Self.refused + Self.refused + "PO", 2),
        ] as [(String, Int)]
    )
    func endsInput(bytes: String, answers: Int) throws {
        let connection = try Connection()
        if !bytes.isEmpty { try connection.channel.writeInbound(ByteBuffer(string: bytes)) }
        connection.endInput()
        let expected = String(repeating: answer(Self.methodRefused, closes: false), count: answers)
        #expect(try connection.sent() == expected)
        #expect(!connection.channel.isActive)
        let isKept = connection.loop.clients.contains { _ in true }
        #expect(!isKept)
    }

    // MARK: Time

    @Test("A first request that does not come in time is told that it has begun, where it has", arguments: ["", "GET"])
    func headOverdue(bytes: String) throws {
        let connection = try Connection()
        if !bytes.isEmpty { try connection.receive(bytes) }
        connection.pass(ProxySetup.patient.requestHeader - .nanoseconds(1))
        #expect(connection.channel.isActive)
        connection.pass(.nanoseconds(1))
        #expect(try connection.sent() == (bytes.isEmpty ? "" : answer(.requestTimeout, closes: true)))
        #expect(!connection.channel.isActive)
    }

    @Test("One on a connection that is one too many has five seconds, and is told why it is refused")
    func overLimit() throws {
        let silent = try Connection(overLimit: .places)
        silent.pass(.seconds(5) - .nanoseconds(1))
        #expect(silent.channel.isActive)
        silent.pass(.nanoseconds(1))
        #expect(!silent.channel.isActive)
        let connection = try Connection(overLimit: .places)
        try connection.receive(Self.refused)
        #expect(try connection.sent() == answer(.tooManyConnections, closes: true))
    }

    @Test("When the proxy is stopping the first request is awaited for a second more, and its answer is the last")
    func drains() throws {
        for isSilent in [true, false] {
            let connection = try Connection()
            connection.loop.drain()
            connection.pass(.milliseconds(999))
            #expect(connection.channel.isActive)
            if isSilent { connection.pass(.milliseconds(1)) } else { try connection.receive(Self.refused) }
            #expect(try connection.sent() == (isSilent ? "" : answer(Self.methodRefused, closes: true)))
            #expect(!connection.channel.isActive)
        }
    }

    // MARK: Log-ins

    private func get(_ fields: String) -> String {
        "GET http://api.test/ HTTP/1.1\nHost: api.test\n\(fields)\n".withNetworkLineEnds
    }

    @Test("A wrong password is counted where it is told to be, and the client may try again")
    func loginFailed() throws {
        let connection = try Connection(.listed)
        for number in 1...3 {
            try connection.receive(get(loginField("two", "guess\(number)")))
            #expect(try connection.sent() == answer(Problem(.clientNotAuthenticated), closes: false))
            #expect(connection.proxy.common.logins.counts.failed == number)
        }
        try connection.receive(get(loginField("two")))
        #expect(try connection.sent() == answer(Problem(.apiNotAllowed(client: "two", api: "api")), closes: false))
    }

    @Test("A log-in that has to wait for its turn is answered then, and what comes behind it after that")
    func awaitsTurn() throws {
        let connection = try Connection(.listed)
        for number in 0..<5 { try connection.receive(get(loginField("two", "guess\(number)"))) }
        _ = try connection.sent()
        try connection.receive(get(loginField("two")) + get(loginField("two")))
        connection.pass(.milliseconds(249))
        #expect(try connection.sent() == "")
        connection.pass(.milliseconds(1))
        let one = answer(Problem(.apiNotAllowed(client: "two", api: "api")), closes: false)
        #expect(try connection.sent() == one + one)
        #expect(connection.channel.isActive)
    }

    // MARK: Waits

    @Test("A reload changes no time since which a client has been waited for")
    func reloadedTimes() throws {
        var setup = ProxySetup.unconnected
        setup.timeouts.handshake = .minutes(2)
        let connection = try Connection(setup)
        let begin = connection.proxy.clock.loop.now
        (setup.timeouts.requestHeader, setup.timeouts.idle) = (.seconds(5), .seconds(7))
        setup.timeouts.handshake = .seconds(3)
        connection.pass(.seconds(1))
        try connection.reload(setup)
        #expect(connection.handler.silentSince == begin)
        try connection.receive("POST")
        #expect(connection.handler.slowSince(at: connection.proxy.clock.loop.now) == begin)
        try connection.receive(String(Self.refused.dropFirst("POST".count)))
        setup.timeouts.idle = .minutes(1)
        connection.pass(.seconds(1))
        try connection.reload(setup)
        #expect(connection.handler.keptSince == begin + .seconds(1))
    }

    // MARK: CONNECT

    @Test("CONNECT to an API's host is accepted, and has TLS begin")
    func intercepts() throws {
        let connection = try Connection()
        try connection.receive("CONNECT api.test:443 HTTP/1.1\r\nHost: api.test:443\r\n\r\n")
        #expect(try connection.sent() == "HTTP/1.1 200 Connection established\r\n\r\n")
        #expect(connection.holds(NIOSSLServerHandler.self))
        #expect(connection.holds(HandshakeObserver.self))
        #expect(connection.channel.isActive)
    }

    @Test("What comes right behind it is for TLS")
    func earlyTLS() throws {
        let connection = try Connection()
        try connection.receive("CONNECT api.test:443 HTTP/1.1\r\nHost: api.test:443\r\n\r\n" + Self.notARequest)
        connection.pass(.seconds(1))
        #expect(connection.proxy.log.text.contains("the TLS handshake with a client failed"))
        #expect(!connection.channel.isActive)
        #expect(try !connection.sent().contains("400"))
    }

    @Test("A tunnel too many is refused, and nothing behind it is taken for a request")
    func tunnelRefused() throws {
        var setup = ProxySetup.unconnected
        setup.limits.tunnelsPerClient = 0
        let connection = try Connection(setup)
        let connect = "CONNECT other.test:443 HTTP/1.1\r\nHost: other.test:443\r\n\r\n"
        try connection.receive(connect + Self.refused)
        let sent = try connection.sent()
        #expect(sent.hasPrefix("HTTP/1.1 503 "))
        #expect(sent.contains("limits.tunnels_per_client allows, 0"))
        #expect(!sent.contains(" 403 "))
        #expect(!connection.channel.isActive)
    }
}
