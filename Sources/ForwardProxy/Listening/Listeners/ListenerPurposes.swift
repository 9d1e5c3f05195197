import Routing
import Settings

/// The purposes of connections to the listeners of one configuration, and the TLS that begins them.
struct ListenerPurposes {
    private let purposes: [ListenerKey: ListenerPurpose]
    /// The TLS of the proxy's own listener; nil: it speaks clear text.
    private let proxyTLS: ListenerTLS?

    /// - Throws: When the library does not take the listener's certificate or key.
    init(_ settings: ProxySettings) throws {
        // Of two that nothing tells apart, the first has the address; the configuration has none such.
        purposes = Dictionary(
            settings.listeners.map { ($0.key, $0.purpose) },
            uniquingKeysWith: { first, _ in first }
        )
        proxyTLS = try settings.identity.map { try ListenerTLS($0) }
    }

    /// The purpose of a listener; nil where the configuration has no such listener.
    subscript(key: ListenerKey) -> ListenerPurpose? { purposes[key] }

    /// The TLS that connections begin with; nil: they begin in clear text.
    func tls(at key: ListenerKey) -> ListenerTLS? {
        if case .proxy = purposes[key] { proxyTLS } else { nil }
    }
}
