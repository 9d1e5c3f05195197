import CredentialStores
import NIOCore
import NIOHTTP1
import NIOPosix
import Settings
import Synchronization

/// A server in etcd's place, which answers nothing, or nothing whole, until it is told to: then that there is nothing.
final class MuteServer: Sendable {
    private struct State {
        var isMute = true
        var paths: [String] = []
        var connectionCount = 0
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let state: SharedState
        private let beginsAnswers: Bool

        init(_ state: SharedState, beginsAnswers: Bool) {
            self.state = state
            self.beginsAnswers = beginsAnswers
        }

        func channelActive(context: ChannelHandlerContext) {
            state.value.withLock { $0.connectionCount += 1 }
            context.fireChannelActive()
        }

        func channelInactive(context: ChannelHandlerContext) {
            state.value.withLock { $0.connectionCount -= 1 }
            context.fireChannelInactive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let request) = unwrapInboundIn(data) else { return }
            let isMute = state.value.withLock { state in
                state.paths.append(request.uri)
                return state.isMute
            }
            guard beginsAnswers || !isMute else { return }
            let text = #"{"header":{"revision":"1"}}"#
            let fields: HTTPHeaders = ["Content-Length": "\(text.utf8.count)"]
            let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: fields)
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
            guard !isMute else { return }
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    private final class SharedState: Sendable {
        let value = Mutex(State())
    }

    private let state: SharedState
    private let channel: any Channel
    let endpoint: EtcdEndpoint

    private init(_ state: SharedState, _ channel: any Channel) {
        self.state = state
        self.channel = channel
        endpoint = EtcdEndpoint(port: channel.localAddress?.port ?? 0)
    }

    /// Runs something with one.
    ///
    /// - Parameter beginsAnswers: Whether it sends an answer's head although it has nothing to say.
    static func with<Value>(
        beginsAnswers: Bool = false,
        _ body: (MuteServer) async throws -> Value
    ) async throws -> Value {
        let state = SharedState()
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(state, beginsAnswers: beginsAnswers))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let value: Value
        do {
            value = try await body(MuteServer(state, channel))
        } catch {
            try await channel.close()
            throw error
        }
        try await channel.close()
        return value
    }

    /// The paths of the requests that have reached it.
    var paths: [String] { state.value.withLock { $0.paths } }

    /// The number of connections that are open.
    var connectionCount: Int { state.value.withLock { $0.connectionCount } }

    /// Answers what is asked from now on.
    func speak() { state.value.withLock { $0.isMute = false } }
}
