/// The decision on a request, inside an interception or in absolute-form.
package enum RequestDecision: Sendable {
    /// Sign it and send it to the API.
    case forward(Forwarding)
    /// An absolute-form `http://` request for a host of no API: send it there unsigned, in clear text. The request
    /// target is sent from `originOffset` on, as in `Forwarding`.
    case pass(Authority, originOffset: Int, client: Client?)
    case refuse(Refusal)
}
