import Credentials
import HTTP1Codec
import NIOCore
import Routing
import Settings
import TestSupport
import Testing
import UpstreamTrust

@testable import ForwardProxy

@Suite("Metrics of requests, and the same times in the log", .generousLimit, .timed)
struct RequestMetricsTests {
    /// Runs something while a tunnel waits for the addresses of its host, of which there are none when the gate is opened.
    private func withUnresolvedTunnel(
        _ body: (RunningProxy, Wire, DispatchGate) async throws -> Void
    ) async throws {
        let (entered, gate) = (Gate(), DispatchGate())
        var setup = ProxySetup(apis: [])
        setup.access = AccessPolicy(connectPorts: [443])
        setup.resolve = { _, _ in
            entered.open()
            return gate.pass()
        }
        try await RunningProxy.with(setup) { proxy in
            let client = try await proxy.connect()
            try await client.send("CONNECT gone.test:443 HTTP/1.1\nHost: gone.test:443\n\n")
            await entered.wait()
            try await body(proxy, client, gate)
        }
    }

    @Test("A tunnel that fails has the time from its head on, and that of the phase that it failed in")
    func failedTunnel() async throws {
        try await withUnresolvedTunnel { proxy, client, gate in
            await proxy.clock.advance(by: .milliseconds(40))
            gate.open()
            #expect(try await client.message().status == 502)
            let line = try await proxy.accessLogLine()
            #expect(line["error"] as? String == "dns_error")
            #expect(line["authority"] as? String == "gone.test:443")
            for member in ["duration_us", "connection_us", "name_us"] { #expect(line[member] as? Int == 40_000) }
            #expect(line["tcp_us"] == nil)
            let phases = await proxy.samples("paraph_connect_seconds", ["api", "phase", "result"])
            #expect(phases == [" name dns_error": 1])
            #expect(await proxy.samples("paraph_refusals_total", ["api", "reason"]) == [" dns_error": 1])
            #expect(await proxy.samples("paraph_request_seconds") == ["": 1])
        }
    }

    @Test("A tunnel whose client leaves before it stands is told of")
    func tunnelGivenUp() async throws {
        try await withUnresolvedTunnel { proxy, client, gate in
            await client.close()
            let line = try await proxy.accessLogLine()
            #expect(line["outcome"] as? String == "client closed")
            #expect(line["status"] == nil)
            let requests = await proxy.samples("paraph_requests_total", ["method", "status"])
            #expect(requests == ["CONNECT none": 1])
            gate.open()
        }
    }

    @Test("A tunnel that stands has the times of its connection, and counts when it begins")
    func tunnel() async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = ProxySetup(apis: [])
        setup.access = AccessPolicy(connectPorts: [upstream.port])
        try await RunningProxy.with(setup) { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(upstream.port)"
            try await client.send("CONNECT \(authority) HTTP/1.1\nHost: \(authority)\n\n")
            #expect(try await client.head().status == 200)
            let phases = await proxy.samples("paraph_connect_seconds", ["api", "phase", "result"])
            #expect(phases == [" name ok": 1, " tcp ok": 1])
            #expect(await proxy.samples("paraph_requests_total", ["method", "status"]) == ["CONNECT 2xx": 1])
            #expect(await proxy.samples("paraph_request_seconds") == ["": 1])
            let server = try await upstream.accept()
            await proxy.clock.advance(by: .seconds(3))
            await client.close()
            await server.close()
            let line = try await proxy.accessLogLine()
            for member in ["connection_us", "name_us", "tcp_us"] { #expect(line[member] != nil) }
            #expect(line["path"] == nil)
            let (established, whole) = (line["established_us"] as? Int, line["duration_us"] as? Int)
            #expect(try #require(whole) >= 3_000_000 + #require(established))
        }
        await upstream.stop()
    }

    @Test("A refusal has its API where that is known, and is in the times as well as among the requests")
    func earlyRefusals() async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = ProxySetup(plain: upstream)
        setup.apis[0].methods = ["GET"]
        try await RunningProxy.with(setup) { proxy in
            #expect(try await proxy.answer(to: RunningProxy.request("POST", body: "x")).status == 403)
            #expect(try await proxy.answer(to: "GET / HTTP/1.1\nHost: api.test\n\n").status == 400)
            #expect(try await proxy.answer(to: "no request at all\n\n").status == 400)
            let refusals = await proxy.samples("paraph_refusals_total", ["api", "reason"])
            #expect(refusals == ["api http_request_denied": 1, " http_request_error": 2])
            #expect(await proxy.samples("paraph_requests_total") == ["api": 1, "": 2])
            #expect(await proxy.samples("paraph_request_seconds") == ["api": 1, "": 2])
            let line = try await proxy.accessLogLine()
            #expect(line["api"] as? String == "api")
            #expect(line["address"] as? String == "127.0.0.1")
            let lines = try await proxy.accessLogText(lines: 3).split(separator: "\n")
            for member in ["method", "authority", "path"] {
                #expect(lines.count { $0.contains("\"\(member)\":\"") } == 2, "\(lines)")
            }
        }
        await upstream.stop()
    }

    @Test("The body of an answer that the proxy makes itself is counted as any other")
    func bytesOfRefusals() async throws {
        try await UnusedPort.with { port in
            var setup = ProxySetup(apis: [ProxySetup.API(port: port)])
            setup.apis[0].methods = ["PUT"]
            try await RunningProxy.with(setup) { proxy in
                var sent: [Int] = []
                for (request, status) in [
                    (RunningProxy.request("POST", body: "x"), 403), ("no request at all\n\n", 400),
                    (RunningProxy.request("PUT"), 502),
                ] {
                    let answer = try await proxy.answer(to: request)
                    #expect(answer.status == status)
                    #expect(!answer.body.isEmpty)
                    sent.append(answer.body.utf8.count)
                }
                let client = try await proxy.http2Client()
                for (method, hasBody) in [("POST", true), ("HEAD", false)] {
                    let id = try await client.request(method)
                    #expect(try await client.head(of: id).status == 403)
                    let body = try await client.body(of: id)
                    #expect(body.isEmpty != hasBody)
                    sent.append(body.utf8.count)
                }
                let text = try await proxy.accessLogText(lines: sent.count)
                #expect(text.matches(of: /"response_bytes":(\d+)/).compactMap { Int($0.1) } == sent)
                let counted = await proxy.samples("paraph_bytes_total", ["direction"])
                #expect(counted == ["response": Double(sent.reduce(0, +))])
            }
        }
    }

    @Test("Bytes of bodies are counted as they pass, and once")
    func bytesInPassing() async throws {
        let upstream = try await ScriptedUpstream.start()
        try await RunningProxy.with(ProxySetup(plain: upstream)) { proxy in
            let client = try await proxy.connect()
            try await client.send("POST http://api.test/ HTTP/1.1\nHost: api.test\nContent-Length: 6\n\nsix")
            let server = try await upstream.accept()
            _ = try await server.head()
            #expect(try await server.bytes(3) == "six")
            #expect(await proxy.samples("paraph_bytes_total", ["direction"]) == ["request": 3])
            try await client.send("six")
            #expect(try await server.bytes(3) == "six")
            try await server.send("HTTP/1.1 200 OK\nContent-Length: 9\n\nfour")
            #expect(try await client.head().status == 200)
            #expect(try await client.bytes(4) == "four")
            #expect(await proxy.samples("paraph_bytes_total", ["direction"]) == ["request": 6, "response": 4])
            try await server.send("five5")
            #expect(try await client.bytes(5) == "five5")
            let line = try await proxy.accessLogLine()
            #expect(line["response_bytes"] as? Int == 9)
            #expect(await proxy.samples("paraph_bytes_total", ["direction"]) == ["request": 6, "response": 9])
        }
        await upstream.stop()
    }

    @Test("A request is repeated when it is sent again, and not when its token is to be renewed")
    func repeats() async throws {
        let granting = GrantingProvider()
        try await ScriptedProvider.with(answer: { request, _ in granting.answer(request) }) { provider in
            try await RunningProxy.with(.passwordGrant(port: provider.upstream.port)) { proxy in
                #expect(try await proxy.get().status == 200)
                granting.expireAccessTokens()
                #expect(try await proxy.get().status == 200)
                let cause = ["api token_refused": 1.0]
                #expect(await proxy.samples("paraph_repeats_total", ["api", "cause"]) == cause)
                let exchanges = await proxy.samples("paraph_exchanges_total", ["kind", "result"])
                #expect(exchanges.filter { $0.value > 0 } == ["password ok": 1, "refresh ok": 1])
                #expect(proxy.server.lastExchanges.values.map(\.kind) == [.refresh])
                for (name, kind) in [("password grant", "password"), ("refresh", "refresh")] {
                    let line = proxy.log.text.split(separator: "\n").first { $0.contains("token obtained by \(name) ") }
                    #expect(line?.contains("\"kind\": \(kind)") == true, "\(proxy.log.text)")
                }
                granting.expireAccessTokens()
                granting.fail(with: ScriptedProvider.answer("503 Busy", "{}"))
                #expect(try await proxy.get().status == 401)
                #expect(await proxy.samples("paraph_repeats_total", ["api", "cause"]) == cause)
                #expect(await proxy.samples("paraph_first_byte_seconds")["api"] == 3)
                let text = try await proxy.accessLogText(lines: 3)
                let lines = text.split(separator: "\n")
                #expect(lines.map { $0.contains(#""repeats":["token_refused"]"#) } == [false, true, false])
            }
        }
    }

    @Test("Counters that alerts are on are there before anything has happened")
    func fromTheStart() async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = try ProxySetup(secure: upstream)
        var policy = PinningPolicy(mode: .publicKey, pins: [])
        policy.onFailure = .report
        setup.apis[0].tls.pinning = [HostPinning(policy: policy)]
        try await RunningProxy.with(setup) { proxy in
            let decisions = await proxy.samples(
                "paraph_upstream_trust_decisions_total",
                ["api", "action", "reason"],
                zeros: true
            )
            #expect(decisions["api report no_pin_matched"] == 0)
            #expect(decisions["api refuse expired"] == 0)
            #expect(decisions.count == TrustFailureReason.Kind.allCases.count + 1)
            let operations = await proxy.samples("paraph_vault_operations_total", ["operation", "result"], zeros: true)
            #expect(operations["store failed"] == 0)
            #expect(operations.count == 8)
            let refusals = await proxy.samples("paraph_refusals_total", ["api", "reason"], zeros: true)
            #expect(refusals[" connection_limit_reached"] == 0)
            #expect(refusals["api dns_error"] == 0)
            #expect(refusals.count == 2 * ProxyErrorToken.allCases.count)
            let refused = await proxy.samples("paraph_provider_refusals_total", ["api", "diagnosis"], zeros: true)
            #expect(refused["api nonce_used"] == 0)
            #expect(refused.count == ProviderDiagnosis.Cause.allCases.count)
            let requests = await proxy.samples("paraph_requests_total", ["api", "method", "status"], zeros: true)
            #expect(requests["api GET 5xx"] == 0)
            #expect(requests.count == 10)
        }
        await upstream.stop()
    }
}
