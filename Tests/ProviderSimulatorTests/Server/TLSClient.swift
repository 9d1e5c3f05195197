import NIOCore
import NIOPosix
import NIOSSL

/// Sends bytes through TLS and gathers what comes back until the server closes.
enum TLSClient {
    static func exchange(_ text: String, to address: SocketAddress, name: String, trusting rootPEM: String) async throws
        -> String
    {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(rootPEM.utf8)))
        let context = try NIOSSLContext(configuration: configuration)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(to: address) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let tls = try NIOSSLClientHandler(context: context, serverHostname: name)
                    try channel.pipeline.syncOperations.addHandler(tls)
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: text))
            var received = ByteBuffer()
            for try await part in inbound { received.writeImmutableBuffer(part) }
            return String(buffer: received)
        }
    }
}
