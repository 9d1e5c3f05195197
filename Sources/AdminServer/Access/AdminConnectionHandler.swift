import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Tells ``AdminConnections`` of one connection: that it is open, and while it waits for an answer.
///
/// A request counts from when all of it is there until its answer begins: whoever owes a body, or does not take the
/// answer, is as idle as whoever asks nothing. A body that takes too long ends the connection.
final class AdminConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private static let lastBodyTimeout = TimeAmount.seconds(1)

    private let connections: AdminConnections
    private let bodyTimeout: TimeAmount
    private var bodyDeadline: Scheduled<Void>?
    /// The requests that have been read to their end.
    private var received = 0
    /// The answers that have begun. One more than ``received`` where a request is refused before its body is there.
    private var answered = 0

    /// - Parameter bodyTimeout: For all of a request's body, whether it is waited for or was answered already.
    init(_ connections: AdminConnections, bodyTimeout: TimeAmount) {
        self.connections = connections
        self.bodyTimeout = bodyTimeout
    }

    func handlerAdded(context: ChannelHandlerContext) {
        connections.open(context.channel)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        bodyDeadline?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            connections.noteUse(of: context.channel, isAwaited: received > answered)
            bodyDeadline = context.eventLoop.assumeIsolated().scheduleTask(in: bodyTimeout) {
                self.endOverdue(context)
            }
        case .body: break
        case .end:
            bodyDeadline?.cancel()
            bodyDeadline = nil
            received += 1
            connections.noteUse(of: context.channel, isAwaited: received > answered)
        }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // The listener ends: a body that is owed has little time left.
        if event is ChannelShouldQuiesceEvent, let bodyDeadline {
            bodyDeadline.cancel()
            self.bodyDeadline = context.eventLoop.assumeIsolated().scheduleTask(in: Self.lastBodyTimeout) {
                self.endOverdue(context)
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head = unwrapOutboundIn(data) {
            answered += 1
            connections.noteUse(of: context.channel, isAwaited: received > answered)
        }
        context.write(data, promise: promise)
    }

    private func endOverdue(_ context: ChannelHandlerContext) {
        // Answers come in the order of the requests, and this request has the last place.
        if received == answered {
            let head = HTTPResponse(
                status: .requestTimeout,
                headerFields: [.connection: "close", .contentLength: "0"]
            )
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
        context.close(promise: nil)
    }
}

@available(*, unavailable)
extension AdminConnectionHandler: Sendable {}
