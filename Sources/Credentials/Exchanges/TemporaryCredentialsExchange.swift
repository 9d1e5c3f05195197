/// The first step of a ``ThreeLeggedAuthorization``, in which temporary credentials are asked for.
package struct TemporaryCredentialsExchange: ProviderExchange {
    /// The authorization, which waits for the person, and the address for the person's browser.
    package typealias Outcome = Result<(authorization: ThreeLeggedAuthorization, address: String), ExchangeFailure>

    private var authorization: ThreeLeggedAuthorization
    private let callback: String

    /// - Parameter callback: `oob`, or the absolute URL that the person comes back to.
    package init(_ authorization: ThreeLeggedAuthorization, callback: String) {
        self.authorization = authorization
        self.callback = callback
    }

    package mutating func start(
        nonce: String,
        timestamp: UInt64
    ) throws(ExchangeFailure) -> ExchangeProgress<Outcome> {
        .send(try authorization.start(callback: callback, nonce: nonce, timestamp: timestamp))
    }

    package mutating func receive(
        _ response: ExchangeResponse,
        nonce: String,
        timestamp: UInt64
    ) -> ExchangeProgress<Outcome> {
        do throws(ExchangeFailure) {
            let address = try authorization.receiveTemporaryCredentials(response)
            return .ended(.success((authorization, address)))
        } catch {
            return .failed(error)
        }
    }
}
