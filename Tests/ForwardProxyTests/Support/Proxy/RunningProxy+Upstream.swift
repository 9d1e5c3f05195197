@testable import ForwardProxy

extension RunningProxy {
    /// A proxy for one API in clear text, and the upstream that plays it.
    static func withPlainUpstream(
        _ configure: (inout ProxySetup) throws -> Void = { _ in },
        _ body: (RunningProxy, ScriptedUpstream) async throws -> Void
    ) async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = ProxySetup(plain: upstream)
        try configure(&setup)
        try await with(setup) { try await body($0, upstream) }
        await upstream.stop()
    }

    /// The same with an API over TLS.
    static func withSecureUpstream(
        identity: ServerIdentity? = nil,
        _ configure: (inout ProxySetup) throws -> Void = { _ in },
        _ body: (RunningProxy, ScriptedUpstream) async throws -> Void
    ) async throws {
        let upstream = try await ScriptedUpstream.start(
            identity: try identity ?? ServerIdentity(ServerIdentity.shared.get())
        )
        var setup = try ProxySetup(secure: upstream)
        try configure(&setup)
        try await with(setup) { try await body($0, upstream) }
        await upstream.stop()
    }
}

/// A GET in absolute-form for the API of the tests.
let plainGet = "GET http://api.test/ HTTP/1.1\nHost: api.test\n\n"
