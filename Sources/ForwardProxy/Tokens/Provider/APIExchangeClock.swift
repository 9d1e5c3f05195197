import Credentials
import Logging

/// The clock of an API's provider, as the exchanges with it see it.
struct APIExchangeClock: ExchangeClock {
    let api: APIContext
    /// Indicates whether the provider's clock is followed when it refuses this machine's.
    let isCorrected: Bool
    let machine: any ProxyClock
    let logger: Logger

    var timestamp: UInt64 { api.clock.timestamp(.wall) }

    func follow(_ response: ExchangeResponse) -> Bool {
        isCorrected && api.followClock(ClockOffset.read(response, now: machine.coarseWallSeconds), logger)
    }
}
