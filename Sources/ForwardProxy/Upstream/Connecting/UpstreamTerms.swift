import HTTP1Codec
import Settings

/// The limits of upstream connections, and the clock that their times are taken from.
struct UpstreamTerms: Sendable {
    let messageLimits: MessageLimits
    let timeouts: ProxyTimeouts
    let clock: any ProxyClock
}
