import Testing

extension RunningProxy {
    /// Opens a tunnel to a host of no API through another proxy, and expects the early bytes of either side to arrive.
    func openBlindTunnel(through other: ScriptedUpstream) async throws -> (client: Wire, other: Wire) {
        let client = try await connect()
        try await client.send("CONNECT blind.test:443 HTTP/1.1\nHost: blind.test:443\n\nearly")
        let wire = try await other.accept()
        #expect(try await wire.head().startLine == "CONNECT blind.test:443 HTTP/1.1")
        try await wire.send("HTTP/1.1 200 OK\n\nbanner")
        #expect(try await client.head().status == 200)
        #expect(try await client.bytes(6) == "banner")
        #expect(try await wire.bytes(5) == "early")
        return (client, wire)
    }
}
