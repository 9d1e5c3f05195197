import ForwardProxy
import ParaphConfiguration

/// A proxy that the clients which are examined are given. The program chooses it where it lists its commands.
protocol ClientServer: Sendable {
    /// - Parameter account: The account of requests that name none; nil: `default`.
    init(configuration: Configuration, account: String?)

    /// Serves requests for as long as the body takes.
    ///
    /// - Parameters:
    ///   - accessLog: Takes the lines of the access log.
    ///   - body: Called with the port that the proxy listens at, on loopback.
    func serve(_ state: ProxyState, accessLog: LogSink, _ body: (_ port: Int) async throws -> Void) async throws
}
