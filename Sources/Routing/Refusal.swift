package import Bytes

/// The reason why a request is not served. Texts that a client sent appear in `description` shortened and made
/// printable.
package enum Refusal: Error, Hashable, Sendable {
    case malformedAuthority(AuthoritySyntaxError)
    case unsupportedTarget
    case malformedProxyAuthorization
    case missingHost
    case misdirected(connect: Authority)
    case hostDiffersFromTarget(Authority)
    case clientNotAuthenticated
    case hostOfNoAPI(Authority)
    case tunnelNeeded(Authority)
    case portNotAllowed(Authority)
    case addressDenied(IPAddress)
    case apiNotAllowed(client: String, api: String)
    case otherHostNotAllowed(client: String, Authority)
    case accountNotAllowed(client: String, account: String)
    case unknownAccount(String, api: String)
    case methodNotAllowed(api: String)
    case pathNotAllowed(api: String)
    case ambiguousPath(api: String)
    /// The field names another method, or another path, than the request line.
    case methodOverridden(field: String, api: String)
    /// A parameter in the query names another method than the request line.
    case methodParameter(api: String)
    case gatewayClientNotAuthenticated
    case gatewayIsNoProxy
    case hostOfNoGateway(Authority)
    case foreignPage
}

extension Refusal {
    /// The status of the response.
    package var status: Int {
        switch self {
        case .malformedAuthority, .unsupportedTarget, .malformedProxyAuthorization, .missingHost: 400
        case .misdirected, .hostDiffersFromTarget, .gatewayIsNoProxy, .hostOfNoGateway: 421
        case .clientNotAuthenticated: 407
        case .gatewayClientNotAuthenticated: 401
        case .hostOfNoAPI, .tunnelNeeded, .portNotAllowed, .addressDenied, .apiNotAllowed, .otherHostNotAllowed,
            .accountNotAllowed, .unknownAccount, .methodNotAllowed, .pathNotAllowed, .ambiguousPath, .methodOverridden,
            .methodParameter, .foreignPage:
            403
        }
    }

    /// The error type for the Proxy-Status field (RFC 9209, section 2.3).
    package var proxyStatusError: String {
        switch self {
        case .malformedAuthority, .unsupportedTarget, .malformedProxyAuthorization, .missingHost, .misdirected,
            .hostDiffersFromTarget, .gatewayIsNoProxy, .hostOfNoGateway:
            "http_request_error"
        case .addressDenied:
            "destination_ip_prohibited"
        case .clientNotAuthenticated, .hostOfNoAPI, .tunnelNeeded, .portNotAllowed, .apiNotAllowed,
            .otherHostNotAllowed, .accountNotAllowed, .unknownAccount, .methodNotAllowed, .pathNotAllowed,
            .ambiguousPath, .methodOverridden, .methodParameter, .gatewayClientNotAuthenticated, .foreignPage:
            "http_request_denied"
        }
    }

    /// One word of a bounded set, fit for a metric.
    package var label: String {
        switch self {
        case .malformedAuthority: "malformed_authority"
        case .unsupportedTarget: "unsupported_target"
        case .malformedProxyAuthorization: "malformed_proxy_authorization"
        case .missingHost: "missing_host"
        case .misdirected: "misdirected"
        case .hostDiffersFromTarget: "host_differs_from_target"
        case .clientNotAuthenticated: "client_not_authenticated"
        case .hostOfNoAPI: "host_of_no_api"
        case .tunnelNeeded: "tunnel_needed"
        case .portNotAllowed: "port_not_allowed"
        case .addressDenied: "address_denied"
        case .apiNotAllowed: "api_not_allowed"
        case .otherHostNotAllowed: "other_host_not_allowed"
        case .accountNotAllowed: "account_not_allowed"
        case .unknownAccount: "unknown_account"
        case .methodNotAllowed: "method_not_allowed"
        case .pathNotAllowed: "path_not_allowed"
        case .ambiguousPath: "ambiguous_path"
        case .methodOverridden: "method_overridden"
        case .methodParameter: "method_parameter"
        case .gatewayClientNotAuthenticated: "gateway_client_not_authenticated"
        case .gatewayIsNoProxy: "gateway_is_no_proxy"
        case .hostOfNoGateway: "host_of_no_gateway"
        case .foreignPage: "foreign_page"
        }
    }
}
