import NIOCore
import Routing
import Settings
import Testing

@testable import ForwardProxy

extension RunningProxy {
    /// A proxy with a gateway for one API, and the upstream that plays it.
    static func withGateway(
        _ configure: (inout ProxySetup) throws -> Void = { _ in },
        _ body: (RunningProxy, ScriptedUpstream) async throws -> Void
    ) async throws {
        try await withSecureUpstream {
            $0.apis[0].gateway = GatewaySettings()
            try configure(&$0)
        } _: {
            try await body($0, $1)
        }
    }

    func gatewayPort(of api: String = "api") throws -> Int {
        try #require(server.address(ofGateway: api)?.port)
    }

    func connectToGateway(of api: String = "api") async throws -> Wire {
        try await Wire.connect(port: gatewayPort(of: api))
    }

    /// One request to the gateway on a connection of its own, and its whole answer.
    ///
    /// - Parameter fields: Further field lines, each with its line feed.
    func answerOfGateway(_ method: String = "GET", _ target: String = "/", fields: String = "") async throws -> Message
    {
        let wire = try await connectToGateway()
        try await wire.send("\(method) \(target) HTTP/1.1\nHost: 127.0.0.1:\(gatewayPort())\n\(fields)\n")
        let message = try await wire.message(hasBody: method != "HEAD")
        await wire.close()
        return message
    }
}
