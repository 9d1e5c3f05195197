import Credentials
import FoundationEssentials
import Inspection
import LocalAuthority
import NIOCore
import PrometheusMetrics
import Settings
import UpstreamTrust
import X509

/// The metrics that nothing counts: they are made of what there is at the moment of a scrape.
struct ScrapedMetrics {
    typealias Sample = MetricFamily.Sample

    private let common: ProxyCommon
    private let generation: ProxyGeneration
    /// The open connections of clients.
    private let clientConnections: Int
    /// The answers in the order of the event loops.
    private let loops: [LoopSurvey.Answer<LoopLoad>]

    /// Returns these, after what has been counted. Event loops that do not answer soon are left out.
    static func families(
        _ common: ProxyCommon,
        _ generation: ProxyGeneration,
        clients: ConnectionCounter,
        loops: [ObjectIdentifier: NIOLoopBound<ProxyLoop>]
    ) async -> [MetricFamily] {
        let loops = common.group.makeIterator().compactMap { loops[ObjectIdentifier($0)] }
        let answers = await LoopSurvey(clock: common.clock).ask(loops.map(\.eventLoop)) { loops[$0].value.load }
        let scraped = ScrapedMetrics(
            common: common,
            generation: generation,
            clientConnections: clients.open,
            loops: answers
        )
        return common.countedFamilies(ProxyMetrics.descriptions) + scraped.families
    }

    private var settings: ProxySettings { generation.settings }
    private var apis: [APIContext] { generation.keeper.apis }

    private var families: [MetricFamily] {
        upstream + connections + [eventLoopDelay, clockOffset, expiries]
    }

    // MARK: Connections

    private var upstream: [MetricFamily] {
        var pools: [String: UpstreamConnectionCounts] = [:]
        for (api, counts) in loops.flatMap({ $0.value?.pools ?? [:] }) {
            pools[api, default: UpstreamConnectionCounts()] += counts
        }
        let names = Set(apis.map(\.settings.name)).union(pools.keys).sorted()
        return [
            MetricFamily(
                "paraph_upstream_connections",
                .gauge,
                "Upstream connections that are up, by API (empty: none) and state: in_use or idle.",
                samples: names.flatMap { name in
                    let counts = pools[name] ?? UpstreamConnectionCounts()
                    return [("in_use", counts.inUse), ("idle", counts.idle)].map { state, count in
                        Sample(labels: [("api", name), ("state", state)], value: count)
                    }
                }
            ),
            MetricFamily(
                "paraph_upstream_waiting_requests",
                .gauge,
                "Requests that wait for an upstream connection that others may use as well, or for room on one, by API.",
                samples: names.map { Sample(labels: [("api", $0)], value: pools[$0]?.waiting ?? 0) }
            ),
        ]
    }

    private var connections: [MetricFamily] {
        let (open, memory) = (common.usages.openConnections, common.usages.heldMemory)
        return [
            MetricFamily(
                gauge: "paraph_client_connections",
                "Connections of clients, those that are told that there are too many included.",
                clientConnections
            ),
            MetricFamily(
                gauge: "paraph_client_connections_limit",
                "The most connections of clients that are served (limits.connections).",
                settings.limits.connections
            ),
            MetricFamily(
                gauge: "paraph_tunnels",
                "Tunnels: CONNECT without interception, and requests that were upgraded.",
                loops.reduce(0) { $0 + ($1.value?.tunnels ?? 0) }
            ),
            MetricFamily(
                gauge: "paraph_open_connections",
                "Connections of clients and upstream ones, out of the files that there are for both.",
                open.used
            ),
            MetricFamily(
                gauge: "paraph_open_connections_limit",
                "The most connections of clients and upstream ones that there are files for.",
                open.capacity
            ),
            MetricFamily(
                gauge: "paraph_held_memory_bytes",
                "The memory that requests are held in until they can be signed and sent.",
                memory.used
            ),
            MetricFamily(
                gauge: "paraph_held_memory_limit_bytes",
                "The most memory that requests are held in (limits.collected).",
                memory.capacity
            ),
        ]
    }

    // MARK: Times

    private var eventLoopDelay: MetricFamily {
        MetricFamily(
            "paraph_event_loop_delay_seconds",
            .gauge,
            "The time until an event loop came to a task that this scrape gave it.",
            samples: loops.enumerated().map { index, loop in
                Sample(labels: [("loop", "\(index)")], value: .number(Double(loop.delay.nanoseconds) / 1e9))
            }
        )
    }

    private var clockOffset: MetricFamily {
        MetricFamily(
            "paraph_clock_offset_seconds",
            .gauge,
            "The provider's clock minus this machine's, by API: where it is followed, and a refusal has told it.",
            samples: apis.compactMap { api in
                api.followedOffset.map { Sample(labels: [("api", api.settings.name)], value: .integer(Int($0))) }
            }
        )
    }

    // MARK: Ends

    private var expiries: MetricFamily {
        var samples = [Self.expiry("authority", "authority", generation.authority.certificate.notValidAfter)]
        if let identity = settings.identity, let end = identity.end {
            samples.append(Self.expiry("listener_certificate", "proxy", end))
        }
        for api in settings.apis {
            if let end = api.tls.clientIdentity?.end {
                samples.append(Self.expiry("client_certificate", api.name, end))
            }
            if let end = api.tls.pinning.compactMap(\.policy?.expires).min() {
                samples.append(Self.expiry("pins", api.name, end))
            }
        }
        return MetricFamily(
            "paraph_expiry_timestamp_seconds",
            .gauge,
            "When something ends, in seconds since 1970, by what it is and whose: the soonest of each.",
            samples: samples + tokenExpiries
        )
    }

    private static func expiry(_ what: String, _ name: String, _ end: Date) -> Sample {
        Sample(labels: [("what", what), ("name", name)], value: .integer(Int(end.timeIntervalSince1970)))
    }

    private var tokenExpiries: [Sample] {
        var ends: [CredentialName: UInt64] = [:]
        for (reference, end) in generation.keeper.tokenExpiries() {
            let api = apis[reference.api]
            let account =
                settings.namesAccountsInMetrics
                ? common.accountLabels.label(of: api.name(of: reference), at: api.settings.name) : ""
            let name = CredentialName(api: api.settings.name, account: account)
            ends[name] = min(ends[name] ?? .max, end)
        }
        return ends.sorted { ($0.key.api, $0.key.account) < ($1.key.api, $1.key.account) }.map { name, end in
            var labels = [(name: "what", value: "token"), (name: "name", value: name.api)]
            if settings.namesAccountsInMetrics { labels.append((name: "account", value: name.account)) }
            return Sample(labels: labels, value: .integer(Int(clamping: end)))
        }
    }
}

extension TLSIdentity {
    /// The time at which the first of its certificates is over.
    fileprivate var end: Date? { chain.map(\.notValidAfter).min() }
}
