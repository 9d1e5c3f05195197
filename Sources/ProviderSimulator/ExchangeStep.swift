/// The two requests of Twitter's reverse auth. The raw value is the path of the endpoint.
package enum ExchangeStep: String, Sendable, CaseIterable {
    case requestToken = "/oauth/request_token"
    case accessToken = "/oauth/access_token"
}
