import ForwardProxy

/// A proxy that the clients which are examined are given.
protocol ClientServer: Sendable {
    /// Serves requests for as long as the body takes.
    ///
    /// - Parameters:
    ///   - accessLog: Takes the lines of the access log.
    ///   - body: Called with the port that the proxy listens at, on loopback.
    func serve(_ state: ProxyState, accessLog: LogSink, _ body: (_ port: Int) async throws -> Void) async throws
}
