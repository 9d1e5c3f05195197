import NIOCore

/// The pause after a search among the connections of clients that found nothing: a search takes long among many, and
/// whoever is refused thousands of times a second does not bring about as many.
struct SearchPause {
    private static let length = TimeAmount.milliseconds(20)

    /// The last search, where it found nothing.
    private var failure: (client: ClientUsage?, time: NIODeadline)?

    /// Returns whether it is not to be searched at the moment.
    ///
    /// - Parameter client: The one that the search would be for; nil: for anybody.
    func holds(for client: ClientUsage? = nil, at now: NIODeadline) -> Bool {
        guard let failure, failure.client === client else { return false }
        return now - failure.time < Self.length
    }

    /// Notes the outcome of a search.
    mutating func searched(for client: ClientUsage? = nil, found: Bool, at now: NIODeadline) {
        failure = found ? nil : (client, now)
    }
}
