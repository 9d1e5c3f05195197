import NIOCore

/// A loopback port that is taken, so that nobody else gets it, and where nothing listens: connections are refused.
enum UnusedPort {
    static func with(_ body: (Int) async throws -> Void) async throws {
        let server = try await ScriptedUpstream.start()
        // The near end of a connection has a port that is its own for as long as it stands.
        let wire = try await Wire.connect(port: server.port)
        guard let port = wire.channel.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        try await body(port)
        await wire.close()
        await server.stop()
    }
}
