/// The counters that one request has been counted by.
final class RequestAdmission {
    private var client: InFlightCounter?
    private var api: InFlightCounter?

    func add(_ counter: InFlightCounter, limit: Int) -> Bool {
        guard counter.begin(limit: limit) else { return false }
        if client == nil { client = counter } else { api = counter }
        return true
    }

    /// The request is over. Once is enough.
    func end() {
        client?.end()
        api?.end()
        client = nil
        api = nil
    }
}

@available(*, unavailable)
extension RequestAdmission: Sendable {}
