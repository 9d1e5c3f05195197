import NIOCore
import Settings

extension ProxyLimits {
    /// `limits`
    /// - Returns: The limits, and the number of requests to one API that may be in flight unless the API says
    ///   otherwise; nil: as many as come.
    static func read(_ section: Section) -> (limits: ProxyLimits, requestsPerAPI: Int?) {
        var limits = ProxyLimits()
        defer { section.finish() }
        section["connections"]?.integer(1...1_000_000).map { limits.connections = $0 }
        section["header"]?.size(4096...(1 << 20)).map { limits.header = $0 }
        section["pooled_per_host"]?.integer(0...10_000).map { limits.pooledPerHost = $0 }
        section["exchange_waiters"]?.integer(1...1_000_000).map { limits.exchangeWaiters = $0 }
        limits.requestsPerClient = section["requests_per_client"].flatMap { $0.requestLimit() }
        let requestsPerAPI = section["requests_per_api"].flatMap { $0.requestLimit() }
        limits.upstreamPerClient = section["upstream_per_client"].flatMap { $0.requestLimit(of: "connections") }
        limits.tunnelsPerClient = section["tunnels_per_client"].flatMap { $0.requestLimit(of: "tunnels") }
        section["collected"]?.size((1 << 20)...(1 << 40)).map { limits.collected = $0 }
        return (limits, requestsPerAPI)
    }
}

extension Value {
    /// A number of requests, or of something else, or `off`, which is `nil`.
    /// - Parameter inherited: The limit that holds when nothing is written.
    func requestLimit(of what: String = "requests", else inherited: Int? = nil) -> Int? {
        guard !isNull else { return inherited }
        guard let isOn = scalar.flatMap(Value.switchState) else { return integer(1...1_000_000, or: "off") }
        if isOn { report("must be a number of \(what), like 100, or off") }
        return nil
    }
}

extension ProxyTimeouts {
    /// `timeouts`
    static func read(_ section: Section) -> ProxyTimeouts {
        var timeouts = ProxyTimeouts()
        defer { section.finish() }
        section["connect"]?.duration().map { timeouts.connect = $0 }
        section["handshake"]?.duration().map { timeouts.handshake = $0 }
        section["request_header"]?.duration().map { timeouts.requestHeader = $0 }
        section["response_header"]?.duration().map { timeouts.responseHeader = $0 }
        section["token"]?.duration().map { timeouts.token = $0 }
        section["idle"]?.duration().map { timeouts.idle = $0 }
        section["drain"]?.duration(allowsZero: true).map { timeouts.drain = $0 }
        section["connection_age"]?.duration().map { timeouts.connectionAge = $0 }
        return timeouts
    }

    /// `apis.NAME.timeouts`
    /// - Returns: The API's own value of `response_header`; `nil` when it has none.
    static func readResponseHeader(_ section: Section) -> TimeAmount? {
        let value = section["response_header"]
        let general = ["connect", "handshake", "request_header", "token", "idle", "connection_age", "drain"]
        for name in general where !section.lacks(name) {
            section[name]?.reportAtKey("is the same for all APIs; write it under timeouts, outside apis")
        }
        section.finish()
        guard let value, !value.isNull else { return nil }
        return value.duration()
    }
}

/// `http2`: a switch for each side, or one for both.
struct HTTP2Reading {
    /// Indicates whether clients of intercepted hosts are offered HTTP/2.
    private(set) var offersToClients = true
    /// Indicates whether HTTP/2 is spoken with servers that offer it; an API may say otherwise.
    private(set) var usesUpstream = true

    init(_ root: Section) {
        guard let value = root["http2"], !value.isNull else { return }
        guard value.isMapping else {
            guard value.scalar.flatMap(Value.switchState) != nil, let isOn = value.isOn() else {
                value.report("must be on, off, or a switch for each side, like {clients: on, upstreams: off}")
                return
            }
            offersToClients = isOn
            usesUpstream = isOn
            return
        }
        guard let section = value.section() else { return }
        defer { section.finish() }
        section["clients"]?.isOn().map { offersToClients = $0 }
        section["upstreams"]?.isOn().map { usesUpstream = $0 }
    }
}
