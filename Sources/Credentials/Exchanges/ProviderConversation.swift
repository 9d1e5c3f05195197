/// Runs exchanges with one provider: sends their requests, and where the provider refuses the time in one, follows its
/// clock and begins the exchange once more.
package struct ProviderConversation: Sendable {
    package typealias Send = @Sendable (ExchangeRequest) async throws(ExchangeFailure) -> ExchangeResponse

    private let clock: any ExchangeClock
    private let send: Send

    /// - Parameter send: Sends a request to the provider, and returns its whole answer.
    package init(clock: any ExchangeClock, send: @escaping Send) {
        self.clock = clock
        self.send = send
    }

    /// Seconds since 1970-01-01T00:00:00Z, by the provider's clock.
    package var timestamp: UInt64 { clock.timestamp }

    /// Returns a nonce that was never used before: 128 random bits, in letters and digits.
    package func nonce() -> String {
        var generator = SystemRandomNumberGenerator()
        let value = UInt128(generator.next() as UInt64) << 64 | UInt128(generator.next() as UInt64)
        return String(value, radix: 36)
    }

    package func answer(to request: ExchangeRequest) async throws(ExchangeFailure) -> ExchangeResponse {
        try await send(request)
    }

    /// Runs an exchange to its end.
    ///
    /// - Throws: When a request cannot be made, or gets no answer.
    package func run<Exchange: ProviderExchange>(
        _ exchange: Exchange
    ) async throws(ExchangeFailure) -> Exchange.Outcome {
        var exchange = exchange
        return try await run(&exchange)
    }

    /// The same for an exchange that is asked afterwards what it has done.
    package func run<Exchange: ProviderExchange>(
        _ exchange: inout Exchange
    ) async throws(ExchangeFailure) -> Exchange.Outcome {
        let begun = exchange
        let (outcome, refusal) = try await attempt(&exchange)
        guard let refusal, clock.follow(refusal) else { return outcome }
        exchange = begun
        return try await attempt(&exchange).outcome
    }

    /// - Returns: With the outcome, the answer that refused the time in its request, where one did.
    private func attempt<Exchange: ProviderExchange>(
        _ exchange: inout Exchange
    ) async throws(ExchangeFailure) -> (outcome: Exchange.Outcome, refusal: ExchangeResponse?) {
        var progress = try exchange.start(nonce: nonce(), timestamp: timestamp)
        var answer: ExchangeResponse?
        while true {
            switch progress {
            case .send(let request):
                let response = try await send(request)
                progress = exchange.receive(response, nonce: nonce(), timestamp: timestamp)
                answer = response
            case .ended(let outcome): return (outcome, nil)
            case .clockRefused(let outcome): return (outcome, answer)
            }
        }
    }
}
