import Dispatch
import Foundation
import NIOCore
import NIOPosix
@testable import ProviderSimulator
import Settings
import Synchronization
import TestSupport
import Testing
import UpstreamTrust

@testable import ForwardProxy

@Suite("Names that nobody answers", .generousLimit, .timed)
struct StuckNamesTests {
    /// A resolver that does not answer for names that begin with `stuck` until it is told to.
    private final class Resolver: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let asked = Mutex<[String]>([])
        private let inbox = Inbox()

        var names: [String] { asked.withLock { $0 } }

        func resolve(_ host: String, _ port: Int) -> [SocketAddress] {
            asked.withLock { $0.append(host) }
            inbox.update { $0.total += 1 }
            if host.hasPrefix("stuck") {
                gate.wait()
                gate.signal()
            }
            if !host.hasPrefix("upstream") { return [] }
            return [try? SocketAddress(ipAddress: "127.0.0.1", port: port)].compactMap { $0 }
        }

        func isAsked(_ count: Int) async throws {
            _ = try await inbox.wait { $0.total >= count ? true : nil }
        }

        /// Answers all, also those that are asked from now on.
        func release() { gate.signal() }
    }

    /// - Parameter lineLimit: The look-ups that wait in line, for all clients.
    private func with(
        lineLimit: Int = ProxyLimits.usualLookupsInLine,
        _ body: (RunningProxy, ScriptedUpstream, Resolver) async throws -> Void
    ) async throws {
        let upstream = try await ScriptedUpstream.start()
        let resolver = Resolver()
        var setup = ProxySetup(plain: upstream)
        setup.apis[0].connectHost = "upstream.test"
        setup.limits.lookupsInLine = lineLimit
        setup.resolve = resolver.resolve
        try await RunningProxy.with(setup) { proxy in
            defer { resolver.release() }
            try await body(proxy, upstream, resolver)
        }
        await upstream.stop()
    }

    private func connect(_ proxy: RunningProxy, to host: String, from address: String = "127.0.0.1") async throws
        -> Wire
    {
        let wire = try await Wire.connect(from: address, port: proxy.port)
        try await wire.send("CONNECT \(host):443 HTTP/1.1\nHost: \(host):443\n\n")
        return wire
    }

    @Test("Those of hosts of no API do not hold up an API's")
    func apisAreApart() async throws {
        try await with { proxy, upstream, resolver in
            var tunnels: [Wire] = []
            for number in 0..<40 { tunnels.append(try await connect(proxy, to: "stuck-\(number).test")) }
            try await resolver.isAsked(12)
            let client = try await proxy.connect()
            try await client.send(plainGet)
            try await upstream.answerNext()
            #expect(try await client.message().status == 200)
            for tunnel in tunnels { await tunnel.close() }
        }
    }

    @Test("A client that is alone waits for as many as it asks for, and another one's come between")
    func waitsAlone() async throws {
        try await with { proxy, _, resolver in
            var tunnels: [Wire] = []
            for number in 0..<200 { tunnels.append(try await connect(proxy, to: "stuck-\(number).test")) }
            try await hasWaiters(200, proxy)
            #expect(try await connect(proxy, to: "nowhere.test", from: "127.0.0.2").message().proxyError == "dns_error")
            resolver.release()
            for tunnel in tunnels { #expect(try await tunnel.message().proxyError == "dns_error") }
        }
    }

    @Test("The hosts that an API names one by one wait for as long as it takes, however many they are")
    func namedHostsWait() async throws {
        let upstream = try await ScriptedUpstream.start()
        let resolver = Resolver()
        var setup = ProxySetup(plain: upstream)
        let hosts = (0..<60).map { "stuck-\($0).test:\(upstream.port)" }
        setup.apis[0].hosts = hosts
        setup.apis[0].connectHost = nil
        setup.limits.lookupsInLine = 9
        setup.resolve = resolver.resolve
        try await RunningProxy.with(setup) { proxy in
            defer { resolver.release() }
            var clients: [Wire] = []
            for host in hosts { clients.append(try await ask(proxy, host, from: "127.0.0.1")) }
            try await hasWaiters(60, proxy, \.configured)
            resolver.release()
            for client in clients { #expect(try await client.message().proxyError == "dns_error") }
        }
        await upstream.stop()
    }

    @Test("One client's do not hold up another's, and beyond its share it is told so at once")
    func clientsAreApart() async throws {
        try await with(lineLimit: Self.lineLimit) { proxy, _, resolver in
            var tunnels: [Wire] = []
            for number in 0..<Self.bound { tunnels.append(try await connect(proxy, to: "stuck-\(number).test")) }
            try await hasWaiters(Self.bound, proxy)
            let refused = try await connect(proxy, to: "more.test").message()
            #expect(refused.status == 503)
            #expect(refused.proxyError == "connection_limit_reached")
            #expect(refused["Retry-After"] == "1")
            #expect(try await connect(proxy, to: "nowhere.test", from: "127.0.0.2").message().proxyError == "dns_error")
            for tunnel in tunnels { await tunnel.close() }
            // The places in line are free then; the threads are not, for as long as the resolver has them.
            try await hasWaiters(0, proxy)
            let again = try await connect(proxy, to: "nowhere-again.test")
            try await hasWaiters(1, proxy)
            #expect(
                try await connect(proxy, to: "nowhere-2.test", from: "127.0.0.2").message().proxyError == "dns_error"
            )
            #expect(!resolver.names.contains("nowhere-again.test"))
            resolver.release()
            #expect(try await again.message().proxyError == "dns_error")
        }
    }

    @Test("Under an API's wildcard, one client's hold up neither another's nor the hosts that are named one by one")
    func wildcard() async throws {
        let upstream = try await ScriptedUpstream.start()
        try await withWildcard(ProxySetup(plain: upstream)) { proxy, resolver, hosts in
            for number in 1...4 {
                for host in 0..<12 {
                    try await ask(proxy, "stuck-\(number)-\(host).\(hosts)", from: "127.0.0.\(number)")
                }
                guard number == 1 else { continue }
                try await resolver.isAsked(12)
                let another = try await ask(proxy, "upstream.\(hosts)", from: "127.0.0.9")
                try await serve(another, by: upstream.accept())
            }
            try await hasWaiters(48, proxy)
            let client = try await ask(proxy, "upstream.test:\(upstream.port)", from: "127.0.0.1")
            try await serve(client, by: upstream.accept())
        }
        await upstream.stop()
    }

    @Test("One in the line of a client that has many there is not behind these for another client that asks for it")
    func sharedConnection() async throws {
        let certificates = try ProviderCertificates(dnsNames: ["upstream.wild.test"], now: Date())
        let upstream = try await ScriptedUpstream.start(identity: ServerIdentity(certificates))
        var setup = try ProxySetup(secure: upstream)
        setup.apis[0].tls = TLSPolicy(trust: .certificates([certificates.root]))
        try await withWildcard(setup) { proxy, resolver, hosts in
            for host in 0..<12 { try await ask(proxy, "stuck-\(host).\(hosts)", from: "127.0.0.1") }
            try await resolver.isAsked(12)
            // HTTP/2 may be spoken: one connection is made for all who wait.
            let one = try await ask(proxy, "upstream.\(hosts)", from: "127.0.0.1")
            try await hasWaiters(13, proxy)
            let another = try await ask(proxy, "upstream.\(hosts)", from: "127.0.0.2")
            for _ in 0..<2 {
                let server = try await upstream.accept()
                _ = try await server.head()
                try await server.send("HTTP/1.1 200 OK\nContent-Length: 2\n\nok")
            }
            #expect(try await another.message().status == 200)
            #expect(try await one.message().status == 200)
        }
        await upstream.stop()
    }

    /// - Parameter setup: The set-up whose API gets a wildcard.
    private func withWildcard(
        _ setup: ProxySetup,
        _ body: (_ proxy: RunningProxy, _ resolver: Resolver, _ hosts: String) async throws -> Void
    ) async throws {
        let port = setup.apis[0].port
        let resolver = Resolver()
        var setup = setup
        setup.apis[0].hosts = ["*.wild.test:\(port)", "upstream.test:\(port)"]
        setup.apis[0].connectHost = nil
        setup.resolve = resolver.resolve
        try await RunningProxy.with(setup) { proxy in
            defer { resolver.release() }
            try await body(proxy, resolver, "wild.test:\(port)")
        }
    }

    @discardableResult
    private func ask(_ proxy: RunningProxy, _ host: String, from address: String) async throws -> Wire {
        let wire = try await Wire.connect(from: address, port: proxy.port)
        try await wire.send("GET http://\(host)/ HTTP/1.1\nHost: \(host)\n\n")
        return wire
    }

    private func serve(_ client: Wire, by server: Wire) async throws {
        _ = try await server.head()
        try await server.send("HTTP/1.1 200 OK\nContent-Length: 2\n\nok")
        #expect(try await client.message().status == 200)
    }

    @Test("A plain request's look-up goes with its client")
    func givesUpPlain() async throws {
        try await with(lineLimit: Self.lineLimit) { proxy, _, resolver in
            var clients: [Wire] = []
            for number in 0..<Self.bound {
                let host = "stuck-\(number).test"
                let client = try await proxy.connect()
                try await client.send("GET http://\(host)/ HTTP/1.1\nHost: \(host)\n\n")
                clients.append(client)
            }
            try await hasWaiters(Self.bound, proxy)
            let refused = try await proxy.answer(to: "GET http://more.test/ HTTP/1.1\nHost: more.test\n\n")
            #expect(refused.status == 503)
            for client in clients { try await client.reset() }
            try await hasWaiters(0, proxy)
            #expect(resolver.names.count == 12)
        }
    }

    /// A short line, and the look-ups that one client alone may then have under way and in it: eight ninths.
    private static let lineLimit = 36
    private static let bound = 12 + 32

    /// Waits until so many wait for names, those of hosts of no API where nothing else is said.
    private func hasWaiters(
        _ count: Int,
        _ proxy: RunningProxy,
        _ lookups: KeyPath<NameResolvers, NameLookups> = \.others
    ) async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        while proxy.server.names[keyPath: lookups].waiterCount != count {
            try Task.checkCancellation()
            try await loop.submit {}.get()
        }
    }
}
