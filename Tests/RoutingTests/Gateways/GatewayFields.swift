import HTTP1Codec

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
    func decide(
        at gateway: Gateway,
        method: String,
        _ target: String,
        _ fields: GatewayFields
    ) throws -> Result<RequestRoute, Refusal> {
        let fields: KeyValuePairs = [
            "Host": fields.host, "Origin": fields.origin, "Sec-Fetch-Site": fields.fetchSite,
            "Proxy-Authorization": fields.proxyAuthorization, "Authorization": fields.authorization,
            "Paraph-Account": fields.account,
        ]
        let head = try RequestHead(method, target, fields)
        do throws(Refusal) {
            return .success(try decide(at: gateway, port: 9001, head))
        } catch {
            return .failure(error)
        }
    }
}

extension GatewayDecisionTests {
    static func decide(
        _ gateway: Gateway,
        clients: [Client] = [],
        _ fields: GatewayFields
    ) throws -> Result<RequestRoute, Refusal> {
        try decide(gateway, clients: clients, "/a?b", fields)
    }
}
