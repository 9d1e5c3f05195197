import HTTP1Codec
import NIOCore
import Routing

/// A route in the terms of the pools, of the keepers of tokens and of what is forwarded.
extension RequestRoute {
    var target: UpstreamTarget {
        UpstreamTarget(kind: api.map { .api($0.index) } ?? .plain, authority: authority)
    }

    /// The account that authorizes the request; nil for a host of no API.
    var accountReference: AccountReference? {
        guard let api = api?.index else { return nil }
        if let account = account?.index { return .configured(api: api, account: account) }
        return account.map { .enrolled(api: api, name: $0.name) }
    }

    /// The configured client that sent the request.
    var clientName: String? { client?.name }

    /// Returns whether a trailer section may be forwarded: what would have a framework pass by the rules of an API is
    /// refused in a head; here the request is on its way, or its body held, and a trailer section need not be forwarded
    /// (RFC 9110, section 6.5.1).
    func mayForward(_ trailers: FieldSection) -> Bool {
        guard let overrides = api?.overrides else { return true }
        return !trailers.contains { overrides.field(named: $0.name.readableBytesUInt8Span) != nil }
    }
}
