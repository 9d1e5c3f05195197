/// The decision on a request, inside an interception or in absolute-form.
package enum RequestDecision: Sendable {
    /// Sign it and send it to the API.
    case forward(Forwarding)
    /// An absolute-form `http://` request for a host of no API: send it there unsigned, in clear text. The request
    /// target is sent from `originOffset` on, as in `Forwarding`.
    case pass(Authority, originOffset: Int, client: Client?)
    case refuse(Refusal)
}

/// A request that is to be signed and sent to an API.
package struct Forwarding: Sendable {
    package let route: APIRoute
    package let account: Account
    /// The authority that the request goes to, and that is signed. The Host field says the same.
    package let upstream: Authority
    /// Indicates whether the Host field is known to say just that, in the form that is sent; false: it may yet.
    package let hostNamesUpstream: Bool
    /// The offset at which the origin-form begins in the request-target as it came. When nothing or a query is left
    /// from there on, `/` goes before it.
    package let originOffset: Int
    /// `nil` when no clients are configured.
    package let client: Client?
    /// Indicates whether the Authorization field named the client: it is for the proxy alone then.
    package var consumesAuthorization = false
}
