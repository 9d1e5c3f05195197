import Testing

/// A request that the upstream has received and not answered, with both its ends.
struct RequestInFlight {
    static let answer = "HTTP/1.1 200 OK\nContent-Length: 2\nConnection: close\n\nok"

    let client: Wire
    let server: Wire

    init(
        _ proxy: RunningProxy,
        _ upstream: ScriptedUpstream,
        _ request: String = plainGet,
        from address: String = "127.0.0.1"
    ) async throws {
        client = try await Wire.connect(from: address, port: proxy.port)
        try await client.send(request)
        server = try await upstream.accept()
        _ = try await server.head()
    }

    func answer() async throws {
        try await server.send(Self.answer)
        #expect(try await client.message().status == 200)
    }
}
