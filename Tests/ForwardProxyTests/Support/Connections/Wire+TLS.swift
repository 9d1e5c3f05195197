import NIOCore
import NIOSSL

extension Wire {
    /// Puts TLS on the connection, as a client, and waits until it is up.
    ///
    /// - Parameters:
    ///   - protocols: The protocols that are offered by ALPN.
    ///   - skipsConnectAnswer: Whether the answer to CONNECT is still to come, in front of the server's part.
    func startTLS(
        host: String,
        trusting rootPEM: String,
        protocols: [String] = ["http/1.1"],
        skipsConnectAnswer: Bool = false
    ) async throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(rootPEM.utf8)))
        configuration.applicationProtocols = protocols
        let context = try NIOSSLContext(configuration: configuration)
        try await channel.eventLoop.submit { [channel] in
            let handler = try NIOSSLClientHandler(context: context, serverHostname: host)
            try channel.pipeline.syncOperations.addHandler(handler, position: .first)
            if skipsConnectAnswer {
                try channel.pipeline.syncOperations.addHandler(ConnectAnswerSkipper(), position: .first)
            }
        }.get()
        let isSecure = try await inbox.wait { contents -> Bool? in
            contents.isSecure ? true : contents.end.map { _ in false }
        }
        guard isSecure else { throw Ended(received: "no handshake") }
    }
}

extension Wire {
    /// Puts TLS on a connection as a server, also if the client has begun with it already.
    func serve(_ identity: ServerIdentity) async throws {
        let context = try identity.context()
        try await channel.eventLoop.submit { [channel, inbox] in
            try channel.pipeline.syncOperations.addHandler(identity.handler(context), position: .first)
            var early = ByteBuffer()
            inbox.update { contents in
                early = contents.bytes
                contents.bytes = ByteBuffer()
            }
            // To TLS, no bytes are the end of all.
            guard early.readableBytes > 0 else { return }
            channel.pipeline.fireChannelRead(early)
            channel.pipeline.fireChannelReadComplete()
        }.get()
    }

    /// Sends a text, and puts TLS on the connection as a server before anything can come in answer to it.
    func send(_ text: String, thenServe identity: ServerIdentity) async throws {
        let context = try identity.context()
        let bytes = ByteBuffer(string: text.withNetworkLineEnds)
        try await channel.eventLoop.submit { [channel] in
            channel.writeAndFlush(bytes, promise: nil)
            try channel.pipeline.syncOperations.addHandler(identity.handler(context), position: .first)
        }.get()
    }

    /// The same within the TLS that is spoken already.
    func send(_ text: String, thenServeInside identity: ServerIdentity) async throws {
        let context = try identity.context()
        let bytes = ByteBuffer(string: text.withNetworkLineEnds)
        try await channel.eventLoop.submit { [channel] in
            channel.writeAndFlush(bytes, promise: nil)
            let inbox = try channel.pipeline.syncOperations.handler(type: InboxHandler.self)
            try channel.pipeline.syncOperations.addHandler(
                identity.handler(context),
                name: Self.innerTLS,
                position: .before(inbox)
            )
        }.get()
    }

    /// Ends the outer TLS in order, past the one within, as a proxy does whose tunnel breaks.
    func endTunnel() async throws {
        try await channel.eventLoop.submit { [channel] in
            // From the context of the inner handler a close goes on to the outer one.
            try channel.pipeline.syncOperations.context(name: Self.innerTLS).close(promise: nil)
        }.get()
    }

    private static let innerTLS = "TLS within TLS"
}
