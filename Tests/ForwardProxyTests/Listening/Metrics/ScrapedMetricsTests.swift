import Credentials
import Foundation
import LocalAuthority
import PrometheusMetrics
import Routing
import Settings
import TestSupport
import Testing
import UpstreamTrust

@testable import ForwardProxy

@Suite("Metrics of what there is at a scrape", .generousLimit, .timed)
struct ScrapedMetricsTests {
    @Test("Upstream connections are in use while they carry a request, then idle, and none once they are closed")
    func upstreamConnections() async throws {
        let upstream = try await ScriptedUpstream.start()
        try await RunningProxy.with(ProxySetup(plain: upstream)) { proxy in
            #expect(await proxy.connections == [0, 0])
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            #expect(await proxy.connections == [1, 0])
            #expect(await proxy.samples("paraph_client_connections") == ["": 1])
            // The client's, and the one upstream.
            #expect(await proxy.samples("paraph_open_connections") == ["": 2])
            try await server.send("HTTP/1.1 200 OK\nContent-Length: 2\n\nok")
            _ = try await client.message()
            #expect(await proxy.connections == [0, 1])
            await server.close()
            while await proxy.connections != [0, 0] {}
        }
        await upstream.stop()
    }

    @Test("Requests that wait for the first connection to a host are counted")
    func waitingRequests() async throws {
        let upstream = try await ScriptedUpstream.start()
        try await RunningProxy.with(ProxySetup(secure: upstream)) { proxy in
            let clients = try await [proxy.connect(), proxy.connect()]
            for client in clients { try await client.send(plainGet) }
            let server = try await upstream.accept()
            while await proxy.samples("paraph_upstream_waiting_requests")["api"] != 2 {}
            try await server.serve(ServerIdentity(ServerIdentity.shared.get()))
            _ = try await server.head()
            while await proxy.samples("paraph_upstream_waiting_requests")["api"] != 0 {}
            let decisions = await proxy.samples("paraph_upstream_trust_decisions_total", ["action", "reason"])
            #expect(decisions.filter { $0.value > 0 } == ["accept none": 1])
        }
        await upstream.stop()
    }

    @Test("A certificate that is not accepted is a decision with its reason")
    func decisions() async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = try ProxySetup(secure: upstream)
        setup.apis[0].tls.pinning = [HostPinning(policy: PinningPolicy(mode: .publicKey, pins: []))]
        try await RunningProxy.with(setup) { proxy in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            try? await upstream.accept().serve(ServerIdentity(ServerIdentity.shared.get()))
            #expect(try await client.message().status == 502)
            let found = await proxy.samples("paraph_upstream_trust_decisions_total", ["api", "action", "reason"])
            #expect(found.filter { $0.value > 0 } == ["api refuse no_pin_matched": 1])
            let phases = await proxy.samples("paraph_connect_seconds", ["api", "phase", "result"])
            #expect(phases == ["api name ok": 1, "api tcp ok": 1, "api tls tls_certificate_error": 1])
            let line = try await proxy.accessLogLine()
            for member in ["connection_us", "name_us", "tcp_us", "tls_us"] { #expect(line[member] != nil) }
        }
        await upstream.stop()
    }

    @Test("Ends are told of what has one: pins and certificates")
    func expiries() async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = try ProxySetup(secure: upstream)
        let (soon, late) = (Date(timeIntervalSince1970: 2_000_000_000), Date(timeIntervalSince1970: 3_000_000_000))
        setup.apis[0].tls.pinning = [late, soon].map { end in
            HostPinning(policy: PinningPolicy(mode: .publicKey, pins: [], expires: end))
        }
        try await RunningProxy.with(setup) { proxy in
            let found = await proxy.samples("paraph_expiry_timestamp_seconds", ["what", "name"])
            #expect(found["pins api"] == 2_000_000_000)
            let authority = try RunningProxy.authority.get().certificate.notValidAfter
            #expect(found["authority authority"] == authority.timeIntervalSince1970.rounded(.down))
            #expect(found.count == 2)
        }
        await upstream.stop()
    }

    @Test("Accounts are named where the configuration wants it, and nowhere else", arguments: [false, true])
    func accounts(areNamed: Bool) async throws {
        let granting = GrantingProvider()
        try await ScriptedProvider.with(answer: { request, _ in granting.answer(request) }) { provider in
            var setup = ProxySetup.passwordGrant(port: provider.upstream.port)
            setup.namesAccountsInMetrics = areNamed
            try await RunningProxy.with(setup) { proxy in
                let answer = try await proxy.get()
                #expect(answer.status == 200)
                let labels = areNamed ? "api default" : "api -"
                let end = await proxy.samples("paraph_expiry_timestamp_seconds", ["what", "name", "account"])
                let now = Double(proxy.clock.wallTime.date.timeIntervalSince1970)
                #expect(abs((end["token \(labels)"] ?? 0) - now - 3600) <= 1)
                for name in ["paraph_exchanges_total", "paraph_exchange_seconds", "paraph_token_wait_seconds"] {
                    #expect(await proxy.samples(name, ["api", "account"]) == [labels: 1])
                }
                let exchanges = await proxy.samples(
                    "paraph_exchanges_total",
                    ["kind", "result", "account"],
                    zeros: true
                )
                let account = areNamed ? "default" : "-"
                #expect(exchanges["password ok \(account)"] == 1)
                // What can happen is there before it does.
                #expect(exchanges["refresh exchange_unreachable \(account)"] == 0)
                let families = await proxy.server.metricFamilies()
                let named = families.filter { $0.samples.contains { $0.labels.contains { $0.name == "account" } } }
                #expect(named.count == (areNamed ? 4 : 0))
            }
        }
    }

    @Test("Every event loop has its delay")
    func loops() async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = ProxySetup(plain: upstream)
        setup.isTwoLooped = true
        try await RunningProxy.with(setup) { proxy in
            let delays = await proxy.samples("paraph_event_loop_delay_seconds", ["loop"])
            #expect(Set(delays.keys) == Set((0..<proxy.server.loops.count).map { "\($0)" }))
        }
        await upstream.stop()
    }

    @Test("A tunnel is one until it has ended, and no upstream connection of a pool")
    func tunnels() async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = ProxySetup(apis: [])
        setup.access = AccessPolicy(connectPorts: [upstream.port])
        try await RunningProxy.with(setup) { proxy in
            #expect(await proxy.samples("paraph_tunnels") == ["": 0])
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(upstream.port)"
            try await client.send("CONNECT \(authority) HTTP/1.1\nHost: \(authority)\n\n")
            #expect(try await client.head().status == 200)
            let server = try await upstream.accept()
            #expect(await proxy.samples("paraph_tunnels") == ["": 1])
            #expect(await proxy.samples("paraph_upstream_connections").isEmpty)
            await client.close()
            await server.close()
            while await proxy.samples("paraph_tunnels") != ["": 0] {}
        }
        await upstream.stop()
    }
}

extension RunningProxy {
    /// Upstream connections of the API of the tests, in use and idle.
    fileprivate var connections: [Double] {
        get async {
            let found = await samples("paraph_upstream_connections", ["api", "state"])
            return ["api in_use", "api idle"].map { found[$0] ?? -1 }
        }
    }
}
