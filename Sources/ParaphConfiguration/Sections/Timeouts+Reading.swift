extension Timeouts {
    /// `timeouts`
    static func read(_ section: Section) -> Timeouts {
        var timeouts = Timeouts()
        defer { section.finish() }
        section["connect"]?.duration().map { timeouts.connect = $0 }
        section["handshake"]?.duration().map { timeouts.handshake = $0 }
        section["request_header"]?.duration().map { timeouts.requestHeader = $0 }
        section["response_header"]?.duration().map { timeouts.responseHeader = $0 }
        section["idle"]?.duration().map { timeouts.idle = $0 }
        section["drain"]?.duration(allowsZero: true).map { timeouts.drain = $0 }
        return timeouts
    }
}
