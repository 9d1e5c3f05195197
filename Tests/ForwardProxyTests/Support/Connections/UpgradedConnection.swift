import NIOCore

@testable import ForwardProxy

/// A client and an upstream that have switched to WebSocket through the proxy.
struct UpgradedConnection: Sendable {
    /// The way in which the client reaches the proxy, and the proxy the upstream.
    enum Way: CaseIterable, Sendable {
        case interceptedToTLS, interceptedToPlain, absoluteToTLS, absoluteToPlain

        var isIntercepted: Bool { self == .interceptedToTLS || self == .interceptedToPlain }
        var isSecureUpstream: Bool { self == .interceptedToTLS || self == .absoluteToTLS }
    }

    static let webSocket = """
        Connection: Upgrade
        Upgrade: websocket
        Sec-WebSocket-Version: 13
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==

        """

    static let switching = """
        HTTP/1.1 101 Switching Protocols
        Upgrade: websocket
        Connection: Upgrade
        Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=


        """

    let proxy: RunningProxy
    let upstream: ScriptedUpstream
    let client: Wire
    let server: Wire

    /// A proxy for one API that is reached in this way.
    static func withProxy(
        _ way: Way,
        _ configure: (inout ProxySetup) -> Void = { _ in },
        _ body: (RunningProxy, ScriptedUpstream) async throws -> Void
    ) async throws {
        let configure = { (setup: inout ProxySetup) in
            setup.apis[0].hosts = ["api.test", "api.test:443"]
            configure(&setup)
        }
        if way.isSecureUpstream {
            try await RunningProxy.withSecureUpstream(configure, body)
        } else {
            try await RunningProxy.withPlainUpstream(configure, body)
        }
    }

    /// The same, with a connection that has been upgraded.
    static func with(
        _ way: Way,
        _ configure: (inout ProxySetup) -> Void = { _ in },
        _ body: (UpgradedConnection) async throws -> Void
    ) async throws {
        try await withProxy(way, configure) { proxy, upstream in
            try await body(try await open(way, proxy, upstream))
        }
    }

    static func open(
        _ way: Way,
        _ proxy: RunningProxy,
        _ upstream: ScriptedUpstream
    ) async throws -> UpgradedConnection {
        let client = try await connect(way, proxy)
        try await client.send(request(way))
        let server = try await upstream.accept()
        _ = try await server.head()
        try await server.send(switching)
        let head = try await client.head()
        guard head.status == 101 else { throw Wire.Ended(received: head.startLine) }
        return UpgradedConnection(proxy: proxy, upstream: upstream, client: client, server: server)
    }

    static func connect(_ way: Way, _ proxy: RunningProxy) async throws -> Wire {
        way.isIntercepted ? try await proxy.intercept() : try await proxy.connect()
    }

    /// - Parameter fields: Field lines, each with its line feed.
    static func request(
        _ way: Way,
        _ method: String = "GET",
        _ path: String = "/chat?room=1",
        fields: String = webSocket,
        version: String = "1.1"
    ) -> String {
        let origin = way.isIntercepted ? "" : "http://api.test"
        return "\(method) \(origin)\(path) HTTP/\(version)\nHost: api.test\n\(fields)\n"
    }
}
