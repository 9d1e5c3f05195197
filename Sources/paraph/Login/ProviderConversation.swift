import Credentials
import ForwardProxy

/// Sends the requests of one login, and follows the provider's clock where it refuses this machine's.
struct ProviderConversation: Sendable {
    typealias Send = @Sendable (ExchangeRequest) async throws(ExchangeFailure) -> ExchangeResponse
    /// Reads how far the provider's clock is ahead of this machine's, in seconds, as its answer tells.
    typealias ReadClock = @Sendable (ExchangeResponse) -> Int64?

    private let send: Send
    private let now: @Sendable () -> Int64
    private let readClock: ReadClock?
    private var offset: Int64 = 0

    /// - Parameters:
    ///   - now: This machine's time, in seconds since 1970-01-01T00:00:00Z.
    ///   - readClock: Nil: the clock is not corrected.
    init(
        send: @escaping Send,
        now: @escaping @Sendable () -> Int64 = { SystemClock.shared.coarseWallSeconds },
        readClock: ReadClock?
    ) {
        self.send = send
        self.now = now
        self.readClock = readClock
    }

    /// Seconds since 1970-01-01T00:00:00Z, by the provider's clock.
    var timestamp: UInt64 { UInt64(max(0, now() + offset)) }

    func nonce() -> String { ExchangeNonce.make() }

    func answer(to request: ExchangeRequest) async throws(ExchangeFailure) -> ExchangeResponse {
        try await send(request)
    }

    /// Returns whether the request is to be made anew, because the time in it was refused and the provider's is known
    /// now.
    mutating func followsClock(after failure: ExchangeFailure, in response: ExchangeResponse) -> Bool {
        guard failure.cause == .clockRefused, offset == 0, let new = readClock?(response), abs(new) > 1 else {
            return false
        }
        offset = new
        return true
    }

    /// Runs an exchange that needs no person.
    mutating func run(_ exchange: TokenExchange) async throws(ExchangeFailure) -> StoredCredential {
        var running = exchange
        var request = try running.start(nonce: nonce(), timestamp: timestamp)
        while true {
            let response = try await send(request)
            switch running.receive(response, nonce: nonce(), timestamp: timestamp) {
            case .send(let next): request = next
            case .obtained(let credential): return credential
            case .failed(let failure):
                guard followsClock(after: failure, in: response) else { throw failure }
                running = exchange
                request = try running.start(nonce: nonce(), timestamp: timestamp)
            }
        }
    }
}
