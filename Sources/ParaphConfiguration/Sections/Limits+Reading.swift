extension Limits {
    /// `limits`
    static func read(_ section: Section) -> Limits {
        var limits = Limits()
        defer { section.finish() }
        section["connections"]?.integer(1...1_000_000).map { limits.connections = $0 }
        section["header"]?.size(4096...(1 << 20)).map { limits.header = $0 }
        section["pooled_per_host"]?.integer(0...10_000).map { limits.pooledPerHost = $0 }
        section["exchange_waiters"]?.integer(1...1_000_000).map { limits.exchangeWaiters = $0 }
        return limits
    }
}
