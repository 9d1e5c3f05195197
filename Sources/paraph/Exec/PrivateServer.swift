import ForwardProxy
import ParaphConfiguration

/// Serves the clients that `paraph doctor` examines as `paraph exec` serves its command.
struct PrivateServer: ClientServer {
    let configuration: Configuration
    let account: String?

    func serve(_ state: ProxyState, accessLog: LogSink, _ body: (_ port: Int) async throws -> Void) async throws {
        try await PrivateProxy.serve(configuration, account: account, state, accessLog: accessLog, body)
    }
}
