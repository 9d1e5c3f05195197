import NIOCore
import Settings
import Testing

@Suite("Inherited sockets")
struct InheritedSocketsTests {
    typealias Listener = InheritedSockets.Listener

    private static let proxy = Listener(name: "proxy", address: ListenAddress(host: "127.0.0.1", port: 8080))
    private static let admin = Listener(name: "admin", address: ListenAddress(host: "localhost", port: 8081))
    private static let gateway = Listener(name: "api", address: ListenAddress(host: "::1", port: 9000))
    private static let anyPort = Listener(name: "other", address: ListenAddress(host: "127.0.0.1", port: 0))
    private static let listeners = [proxy, admin, gateway, anyPort]

    private func socket(
        _ descriptor: CInt,
        _ host: String,
        _ port: Int,
        name: String? = nil
    ) throws -> InheritedSocket {
        InheritedSocket(
            descriptor: descriptor,
            name: name,
            address: try SocketAddress(ipAddress: host, port: port)
        )
    }

    @Test("are for the listener of their address, each once")
    func byAddress() throws {
        let sockets = try InheritedSockets(
            [socket(3, "::1", 9000), socket(4, "127.0.0.1", 8081, name: "unknown"), socket(5, "127.0.0.1", 8080)],
            for: Self.listeners
        )
        #expect(sockets.take(for: Self.proxy) == 5)
        #expect(sockets.take(for: Self.proxy) == nil)
        #expect(sockets.take(for: Self.admin) == 4)
        #expect(sockets.take(for: Self.gateway) == 3)
        #expect(sockets.take(for: Self.anyPort) == nil)
    }

    @Test("of a listener's name may have any port where the listener may")
    func byName() throws {
        let sockets = try InheritedSockets([socket(3, "127.0.0.1", 50_000, name: "other")], for: Self.listeners)
        #expect(sockets.take(for: Self.anyPort) == 3)
    }

    @Test(
        "that are for no listener are a mistake that names them",
        arguments: [
            ("127.0.0.1", 50_000, nil), ("127.0.0.1", 8082, nil), ("0.0.0.0", 8080, nil), ("0.0.0.0", 8080, "proxy"),
            ("127.0.0.1", 8081, "proxy"), ("::1", 8080, nil), ("192.0.2.1", 8081, nil), ("192.0.2.1", 1, "other"),
        ] as [(String, Int, String?)]
    )
    func mistakes(host: String, port: Int, name: String?) throws {
        let stray = try socket(7, host, port, name: name)
        let error = #expect(throws: InheritedSocketError.self) {
            try InheritedSockets([stray], for: Self.listeners)
        }
        let bound = ListenAddress(host: host, port: port)
        #expect(error?.description.hasPrefix("file descriptor 7") == true)
        #expect(error?.description.contains("bound to \(bound), is for none of the configured listeners") == true)
    }

    @Test("of one listener cannot be two")
    func twice() throws {
        let twins = try [socket(3, "127.0.0.1", 8080), socket(4, "127.0.0.1", 8080)]
        let error = #expect(throws: InheritedSocketError.self) { try InheritedSockets(twins, for: Self.listeners) }
        #expect(error?.description.contains("the same listener as file descriptor 3") == true)
    }

    @Test("have to have a listener after a reload, too")
    func reload() throws {
        let sockets = try InheritedSockets([socket(3, "127.0.0.1", 8080)], for: Self.listeners)
        try sockets.check([Self.admin, Self.proxy])
        #expect(throws: InheritedSocketError.self) { try sockets.check([Self.admin]) }
    }
}
