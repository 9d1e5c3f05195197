/// The paths of the provider's endpoints. Those of X unless something else is said.
package struct ProviderPaths: Sendable {
    package var requestToken = "/oauth/request_token"
    package var authorize = "/oauth/authorize"
    package var accessToken = "/oauth/access_token"
    /// The token endpoint of OAuth 2 (RFC 6749, section 3.2).
    package var token = "/oauth/token"
    /// Resources that tell whose token it is.
    package var identity = ["/1.1/account/verify_credentials.json", "/me"]

    package init() {}

    func endpoint(of request: ReceivedRequest) -> ProviderEndpoint {
        let path = String(request.path)
        if path == authorize { return .authorize }
        if path == token { return .token }
        if identity.contains(path) { return .identity }
        if request.method == "POST" || request.method == "GET" {
            if path == requestToken { return .requestToken }
            if path == accessToken { return .accessToken }
        }
        return .resource
    }
}
