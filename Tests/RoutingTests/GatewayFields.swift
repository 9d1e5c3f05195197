@testable import Routing

/// The fields that matter of a request to a gateway which listens on port 9001.
struct GatewayFields {
    var host: String? = "127.0.0.1:9001"
    var origin: String?
    var fetchSite: String?
    var proxyAuthorization: String?
    var authorization: String?
    var account: String?
}

extension Router {
    func decide(at gateway: Gateway, method: String, _ target: String, _ fields: GatewayFields) -> RequestDecision {
        let host = Array((fields.host ?? "").utf8)
        let origin = Array((fields.origin ?? "").utf8)
        let fetchSite = Array((fields.fetchSite ?? "").utf8)
        let proxyAuthorization = Array((fields.proxyAuthorization ?? "").utf8)
        let authorization = Array((fields.authorization ?? "").utf8)
        let account = Array((fields.account ?? "").utf8)
        return decide(
            at: gateway,
            port: 9001,
            method: method.utf8Span.span,
            target: target.utf8Span.span,
            host: fields.host == nil ? nil : host.span,
            origin: fields.origin == nil ? nil : origin.span,
            fetchSite: fields.fetchSite == nil ? nil : fetchSite.span,
            proxyAuthorization: fields.proxyAuthorization == nil ? nil : proxyAuthorization.span,
            authorization: fields.authorization == nil ? nil : authorization.span,
            account: fields.account == nil ? nil : account.span
        )
    }
}

extension GatewayTests {
    static func decide(_ gateway: Gateway, clients: [Client] = [], _ fields: GatewayFields) -> RequestDecision {
        decide(gateway, clients: clients, "/a?b", fields)
    }
}
