/// What an onlooker is told of requests.
package enum RequestEvent: Sendable {
    /// Its head has come: what is known of it by then.
    case begun(InspectedRequest)
    case ended(InspectedRequest)
}
