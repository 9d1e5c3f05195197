import NIOCore
import Settings

extension ProxyTimeouts {
    /// `timeouts`
    static func read(_ section: Section) -> ProxyTimeouts {
        var timeouts = ProxyTimeouts()
        defer { section.finish() }
        section["connect"]?.duration().map { timeouts.connect = $0 }
        section["handshake"]?.duration().map { timeouts.handshake = $0 }
        section["request_header"]?.duration().map { timeouts.requestHeader = $0 }
        section["response_header"]?.duration().map { timeouts.responseHeader = $0 }
        section["idle"]?.duration().map { timeouts.idle = $0 }
        section["drain"]?.duration(allowsZero: true).map { timeouts.drain = $0 }
        section["connection_age"]?.duration().map { timeouts.connectionAge = $0 }
        return timeouts
    }

    /// `apis.NAME.timeouts`
    /// - Returns: What the API says of `response_header`; `nil` when it says nothing.
    static func readResponseHeader(_ section: Section) -> TimeAmount? {
        let value = section["response_header"]
        let general = ["connect", "handshake", "request_header", "idle", "connection_age", "drain"]
        for name in general where !section.lacks(name) {
            section[name]?.reportAtKey("is the same for all APIs; write it under timeouts, outside apis")
        }
        section.finish()
        guard let value, !value.isNull else { return nil }
        return value.duration()
    }
}
