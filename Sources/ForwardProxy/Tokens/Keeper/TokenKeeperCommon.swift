import Logging

/// The parts of a token keeper that outlive it: the keeper of the next configuration has them too.
struct TokenKeeperCommon: Sendable {
    let clock: any ProxyClock
    let logger: Logger
    let locks = AccountLocks()
    let lastExchanges = LastExchanges()
    let unwritten = UnwrittenCredentials()
}
