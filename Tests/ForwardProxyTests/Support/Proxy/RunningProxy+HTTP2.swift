import HTTP2Codec

extension RunningProxy {
    /// Returns a client that speaks HTTP/2 through an interception.
    func http2Client(_ settings: HTTP2Settings = HTTP2Settings()) async throws -> HTTP2Peer {
        HTTP2Peer(try await intercept(protocols: ["h2"]), role: .client, settings: settings)
    }
}

extension ServerIdentity {
    /// Returns the identity of an upstream that agrees to speak HTTP/2.
    static func speakingHTTP2() throws -> ServerIdentity {
        var identity = try ServerIdentity(shared.get())
        identity.protocols = ["h2"]
        return identity
    }
}
