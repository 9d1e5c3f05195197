import NIOCore

extension RunningProxy {
    /// Returns a connection that has had its answer, and is idle.
    func idleClient(of upstream: ScriptedUpstream, from address: String) async throws -> Wire {
        let request = try await RequestInFlight(self, upstream, from: address)
        try await request.answer()
        await clock.advance(by: .milliseconds(1))
        return request.client
    }

    /// Returns what the proxy itself answers to a newcomer, on a connection that stays open.
    func newcomerStatus(from address: String, keeping kept: inout [Wire]) async throws -> Int {
        let client = try await Wire.connect(from: address, port: port)
        try await client.send("TRACE http://api.test/ HTTP/1.1\nHost: api.test\n\n")
        kept.append(client)
        return try await client.message().status
    }
}

extension Wire {
    /// Indicates whether the peer has not ended its side.
    var isOpen: Bool { inbox.isOpen }
}
