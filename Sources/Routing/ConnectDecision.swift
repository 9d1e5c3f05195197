/// The decision on a CONNECT request.
package enum ConnectDecision: Sendable {
    /// A blind tunnel to a host of no API.
    case tunnel(Authority, client: Client?)
    /// TLS is ended here and each request inside is decided upon.
    case intercept(Interception)
    case refuse(Refusal)
}
