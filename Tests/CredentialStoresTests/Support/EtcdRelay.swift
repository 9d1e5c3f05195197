import AsyncHTTPClient
import CredentialStores
import NIOCore
import NIOHTTP1
import NIOPosix
import Settings

/// A way to a server of etcd, where something can happen before its answers arrive.
enum EtcdRelay {
    /// - Parameters:
    ///   - path: That of the request.
    ///   - answer: The server's.
    typealias Event = @Sendable (_ path: String, _ answer: ByteBuffer) async -> Void

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let server: EtcdEndpoint
        private let event: Event
        private var path = ""
        private var question = ByteBuffer()

        init(_ server: EtcdEndpoint, _ event: @escaping Event) {
            self.server = server
            self.event = event
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                path = head.uri
                question.clear()
            case .body(var part): question.writeBuffer(&part)
            case .end:
                let answer = context.eventLoop.makeFutureWithTask { [server, event, path, question] in
                    var request = HTTPClientRequest(url: "\(server)\(path)")
                    request.method = .POST
                    request.body = .bytes(question)
                    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
                    let answer = try await response.body.collect(upTo: 1 << 20)
                    await event(path, answer)
                    return (response.status, answer)
                }
                let context = NIOLoopBound(context, eventLoop: context.eventLoop)
                answer.assumeIsolated().whenComplete { result in
                    guard case .success((let status, let answer)) = result else {
                        return context.value.close(promise: nil)
                    }
                    self.respond(status, answer, context.value)
                }
            }
        }

        private func respond(_ status: HTTPResponseStatus, _ answer: ByteBuffer, _ context: ChannelHandlerContext) {
            let fields: HTTPHeaders = ["Content-Length": "\(answer.readableBytes)"]
            let head = HTTPResponseHead(version: .http1_1, status: status, headers: fields)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(answer))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    /// Runs something with one.
    static func with<Value>(
        to server: EtcdEndpoint,
        event: @escaping Event,
        _ body: (EtcdEndpoint) async throws -> Value
    ) async throws -> Value {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(server, event))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let endpoint = EtcdEndpoint(port: channel.localAddress?.port ?? 0)
        let value: Value
        do {
            value = try await body(endpoint)
        } catch {
            try await channel.close()
            throw error
        }
        try await channel.close()
        return value
    }
}
