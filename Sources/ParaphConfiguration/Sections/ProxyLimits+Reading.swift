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
    /// - Parameter inherited: What holds when nothing is written.
    func requestLimit(of what: String = "requests", else inherited: Int? = nil) -> Int? {
        guard !isNull else { return inherited }
        guard let isOn = scalar.flatMap(Value.switchState) else { return integer(1...1_000_000, or: "off") }
        if isOn { report("must be a number of \(what), like 100, or off") }
        return nil
    }
}
