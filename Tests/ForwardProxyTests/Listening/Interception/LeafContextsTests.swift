import FoundationEssentials
import LocalAuthority
import NIOCore
import PrometheusMetrics
import Routing
import TestSupport
import Testing
import UpstreamTrust

@testable import ForwardProxy

@Suite("The TLS context of an intercepted host", .generousLimit, .timed)
struct LeafContextsTests {
    @Test("is made once for each host, and anew when half of the certificate's life is over")
    func renewal() async throws {
        let clock = ManualClock()
        let authority = try RunningProxy.authority.get()
        let contexts = try LeafContexts(
            authority: authority,
            clock: clock,
            offersHTTP2: true,
            registry: MetricsRegistry()
        )
        let (one, other) = (
            try Authority(parsing: "one.test", defaultPort: 443), try Authority(parsing: "other.test", defaultPort: 443)
        )
        let first = try contexts.context(for: one)
        #expect(try contexts.context(for: one) === first)
        #expect(try contexts.context(for: other) !== first)
        let leaf = try authority.leaf(for: ServerName(host: one.host), now: clock.wallTime.date)
        let life = leaf.notAfter.timeIntervalSince(clock.wallTime.date)
        await clock.advance(by: .seconds(Int64(life / 2) - 60))
        #expect(try contexts.context(for: one) === first)
        await clock.advance(by: .seconds(120))
        #expect(try contexts.context(for: one) !== first)
    }
}
