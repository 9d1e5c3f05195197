/// The clock that the requests of exchanges with one provider are made by.
package protocol ExchangeClock: Sendable {
    /// Seconds since 1970-01-01T00:00:00Z, by the provider's clock as far as it is known.
    var timestamp: UInt64 { get }

    /// Learns the provider's clock from an answer that refused the time in a request.
    ///
    /// - Returns: Whether another timestamp is worth a try.
    func follow(_ response: ExchangeResponse) -> Bool
}
