import NIOCore
import NIOPosix
import Routing
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("The proxy's own listeners", .generousLimit, .timed)
struct OwnListenersTests {
    private func listener(on host: String) async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(host: host, port: 0).get()
    }

    @Test(
        "are known by every address that leads to them",
        arguments: [
            ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "::ffff:127.0.0.1", true), ("127.0.0.1", "0.0.0.0", true),
            ("127.0.0.1", "127.0.0.2", false), ("127.0.0.1", "192.0.2.1", false), ("0.0.0.0", "127.0.0.1", true),
            ("0.0.0.0", "127.9.9.9", true), ("0.0.0.0", "::1", true), ("0.0.0.0", "192.0.2.1", false),
        ]
    )
    func includes(_ own: String, _ destination: String, _ expected: Bool) async throws {
        let listeners = OwnListeners()
        let channel = try await listener(on: own)
        listeners.add(channel)
        let port = try #require(channel.localAddress?.port)
        let address = try SocketAddress(ipAddress: destination, port: port)
        #expect(listeners.includes(address) == expected)
        #expect(!listeners.includes(try SocketAddress(ipAddress: destination, port: port == 1 ? 2 : 1)))
        try await channel.close()
        try await channel.closeFuture.get()
        #expect(!listeners.includes(address))
    }

    @Test("on every address are known by those of this machine's interfaces")
    func includesInterfaces() async throws {
        let listeners = OwnListeners()
        let channel = try await listener(on: "0.0.0.0")
        listeners.add(channel)
        let port = try #require(channel.localAddress?.port)
        let addresses = try System.enumerateDevices().compactMap(\.address?.ipAddress).filter { !$0.contains("%") }
        #expect(addresses.contains("127.0.0.1"))
        for text in addresses {
            #expect(listeners.includes(try SocketAddress(ipAddress: text, port: port)), "\(text)")
        }
        try await channel.close()
    }

    @Test("are not connected to, by whatever kind of request", arguments: ["127.0.0.1", "localhost"])
    func refuses(host: String) async throws {
        try await RunningProxy.withPlainUpstream { proxy, _ in
            let authority = "\(host):\(proxy.port)"
            var setup = ProxySetup(apis: [])
            setup.access = AccessPolicy(connectPorts: [proxy.port], plainPorts: [proxy.port])
            try await proxy.reload(setup)
            let answer = try await proxy.answer(to: "GET http://\(authority)/ HTTP/1.1\nHost: \(authority)\n\n")
            #expect(answer.status == 403)
            #expect(answer.proxyError == "destination_ip_prohibited")
            #expect(answer.body.contains("where this proxy itself listens"))
            let tunnel = try await proxy.answer(to: "CONNECT \(authority) HTTP/1.1\nHost: \(authority)\n\n")
            #expect(tunnel.status == 403)
        }
    }

    @Test("are not, either, what was added of the rest of the process")
    func refusesOthers() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.access = AccessPolicy(plainPorts: Set(1...65_535))
        } _: { proxy, upstream in
            let authority = "127.0.0.1:\(upstream.port)"
            let request = "GET http://\(authority)/ HTTP/1.1\nHost: \(authority)\n\n"
            let channel = try await listener(on: "127.0.0.1")
            let port = try #require(channel.localAddress?.port)
            proxy.server.ownListeners.add(channel)
            let own = request.replacing("\(upstream.port)", with: "\(port)")
            #expect(try await proxy.answer(to: own).status == 403)
            let other = try await RequestInFlight(proxy, upstream, request)
            try await other.answer()
            try await channel.close()
        }
    }
}
