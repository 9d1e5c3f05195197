/// The decision on a request, inside an interception, in absolute-form or at a gateway.
package enum RequestDecision: Sendable {
    case forward(RequestRoute)
    case refuse(Refusal)
}
