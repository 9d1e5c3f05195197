import Bytes

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
    /// The name of the API that the request was for; nil where it was for none, or that is not known.
    package var api: String? { answer.api }

    package var status: Int { answer.status }

    /// The error type for the Proxy-Status field (RFC 9209, section 2.3).
    package var proxyStatusError: String { answer.error.rawValue }

    /// One word of a bounded set, fit for a metric.
    package var label: String { answer.label }
}

extension Refusal: CustomStringConvertible {
    /// A sentence or two on what happened and what to do next.
    package var description: String { answer.sentences() }
}

/// The answer to a request that is refused: a row of the table below.
private struct RefusalAnswer {
    enum ErrorType: String {
        case requestError = "http_request_error"
        case requestDenied = "http_request_denied"
    }

    let status: Int
    let error: ErrorType
    let label: String
    let api: String?
    /// Written when they are read: metrics ask for the label alone.
    let sentences: () -> String

    init(
        _ status: Int,
        _ error: ErrorType,
        _ label: String,
        api: String? = nil,
        sentences: @escaping () -> String
    ) {
        self.status = status
        self.error = error
        self.label = label
        self.api = api
        self.sentences = sentences
    }
}

extension Refusal {
    /// The table of answers.
    private var answer: RefusalAnswer {
        switch self {
        case .malformedAuthority(let error):
            RefusalAnswer(400, .requestError, "malformed_authority") {
                "The host of the request \(error)."
            }
        case .unsupportedTarget:
            RefusalAnswer(400, .requestError, "unsupported_target") {
                "The request-target is neither an http:// nor an https:// URL. Use this server as an HTTP proxy."
            }
        case .malformedProxyAuthorization:
            RefusalAnswer(400, .requestError, "malformed_proxy_authorization") {
                "Proxy-Authorization is not well-formed Basic credentials. Write the proxy's URL as "
                    + "http://ACCOUNT:x@HOST:PORT, with special characters percent-encoded."
            }
        case .missingHost:
            RefusalAnswer(400, .requestError, "missing_host") {
                "The request has no Host field. Send the Host of the connection it came through."
            }
        case .misdirected(let connect):
            RefusalAnswer(421, .requestError, "misdirected") {
                "This connection was opened with CONNECT \(connect), but the request is for another host. "
                    + "Open another connection for that host."
            }
        case .hostDiffersFromTarget(let authority):
            RefusalAnswer(421, .requestError, "host_differs_from_target") {
                "The request is for \(authority), but its Host field names another. Send a Host field that says the "
                    + "same, or none of your own."
            }
        case .clientNotAuthenticated:
            RefusalAnswer(407, .requestDenied, "client_not_authenticated") {
                "The proxy serves only the clients it is configured for. Send the client's name and password as "
                    + "Basic credentials: write NAME:PASSWORD@ in front of the host in the proxy's URL, or "
                    + "NAME%2BACCOUNT:PASSWORD@ to name an account."
            }
        case .hostOfNoAPI(let authority):
            RefusalAnswer(403, .requestDenied, "host_of_no_api") {
                "\(authority) belongs to no configured API, and other hosts are refused. Add it to the hosts of an "
                    + "API, or to access.other_hosts: {allow: […], else: refuse}."
            }
        case .tunnelNeeded(let authority):
            RefusalAnswer(403, .requestDenied, "tunnel_needed") {
                "\(authority) belongs to no configured API; https:// requests for such hosts go through CONNECT. "
                    + "Let the client use CONNECT, or add the host to the hosts of an API."
            }
        case .portNotAllowed(let authority):
            RefusalAnswer(403, .requestDenied, "port_not_allowed") {
                "Port \(authority.port) of \(authority.host) is not allowed: there it belongs to no configured API. "
                    + "Add the port to access.connect_ports, or \(authority) to the hosts of an API."
            }
        case .apiNotAllowed(let client, let api):
            RefusalAnswer(403, .requestDenied, "api_not_allowed", api: api) {
                "The client \(quoted(client)) may not use the API \(quoted(api)). Add it to the client's apis in "
                    + "access.clients."
            }
        case .otherHostNotAllowed(let client, let authority):
            RefusalAnswer(403, .requestDenied, "other_host_not_allowed") {
                "The client \(quoted(client)) may use certain APIs alone, and \(authority) belongs to none. Leave "
                    + "its apis in access.clients out to let it use every API and other hosts."
            }
        case .accountNotAllowed(let client, let account):
            RefusalAnswer(403, .requestDenied, "account_not_allowed") {
                "The client \(quoted(client)) may not use the account \(quoted(account)). Name one of its "
                    + "accounts in Paraph-Account, or add this one to the client's accounts in access.clients."
            }
        case .unknownAccount(let account, let api):
            RefusalAnswer(403, .requestDenied, "unknown_account", api: api) {
                account == Account.defaultName
                    ? "The request names no account, and the API \(quoted(api)) has no account default. Name one of "
                        + "its accounts in Paraph-Account or as the user name of the proxy's URL."
                    : "The API \(quoted(api)) has no account \(quoted(account)). Name one of its accounts in "
                        + "Paraph-Account or as the user name of the proxy's URL, or configure this one."
            }
        case .methodNotAllowed(let api):
            RefusalAnswer(403, .requestDenied, "method_not_allowed", api: api) {
                "The API \(quoted(api)) is not configured for this method. Add it to the API's methods."
            }
        case .pathNotAllowed(let api):
            RefusalAnswer(403, .requestDenied, "path_not_allowed", api: api) {
                "The API \(quoted(api)) is not configured for this path. Add its prefix to the API's paths."
            }
        case .ambiguousPath(let api):
            RefusalAnswer(403, .requestDenied, "ambiguous_path", api: api) {
                "The path has a segment . or .. (perhaps encoded, also twice, with blanks or before ? or #), a "
                    + "byte 0, overlong UTF-8 or an escape like %u002e, and the API \(quoted(api)) is confined to "
                    + "certain paths. Send the path that is meant, without these."
            }
        case .methodOverridden(let field, let api):
            RefusalAnswer(403, .requestDenied, "method_overridden", api: api) {
                "The field \(field) asks for something else than the request line, and the API \(quoted(api)) is "
                    + "confined to certain methods or paths. Send the request that is meant, without that field."
            }
        case .methodParameter(let api):
            RefusalAnswer(403, .requestDenied, "method_parameter", api: api) {
                "A parameter of the query, such as _method, asks for another method than the request line, and the "
                    + "API \(quoted(api)) is confined to certain methods. Send the request that is meant, without that "
                    + "parameter."
            }
        case .gatewayClientNotAuthenticated:
            RefusalAnswer(401, .requestDenied, "gateway_client_not_authenticated") {
                "The gateway serves only the clients that the proxy is configured for. Send the client's name and "
                    + "password as Basic credentials in Authorization (curl -u NAME:PASSWORD), with NAME+ACCOUNT as "
                    + "the name to choose an account."
            }
        case .gatewayIsNoProxy:
            RefusalAnswer(421, .requestError, "gateway_is_no_proxy") {
                "This is the gateway of one API, not a proxy: send it paths, or URLs with its own address. The "
                    + "proxy has an address of its own (listen.proxy)."
            }
        case .hostOfNoGateway(let authority):
            RefusalAnswer(421, .requestError, "host_of_no_gateway") {
                "\(authority) is no name of this gateway, which a web page could use under a name of its own. Send "
                    + "the request to localhost or 127.0.0.1, or add the host to gateway.hosts of the API."
            }
        case .foreignPage:
            RefusalAnswer(403, .requestDenied, "foreign_page") {
                "A web page of another site sent this request (its Origin or Sec-Fetch-Site field says so), and "
                    + "gateways serve none. Send it from a program, or from a page of the gateway's own."
            }
        }
    }
}

/// A text from outside between quotation marks, made printable and at most 64 characters long.
private func quoted(_ text: String) -> String {
    "'\(PrintableText(text, limit: 64))'"
}
