import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Tells ``AdminConnections`` of one connection: that it is open, and while it waits for an answer.
///
/// A request counts from when all of it is there until its answer begins: whoever owes a body, or does not take the
/// answer, is as idle as whoever asks nothing. A body that takes too long ends the connection; so does, when the
/// listener ends, an answer that has begun and is not taken.
final class AdminConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private static let lastBodyTimeout = TimeAmount.seconds(1)
    private static let lastAnswerTimeout = TimeAmount.seconds(2)

    private let connections: AdminConnections
    private let bodyTimeout: TimeAmount
    private var bodyDeadline: Scheduled<Void>?
    private var answerDeadline: Scheduled<Void>?
    /// The requests that have been read to their end.
    private var received = 0
    /// The answers that have begun. One more than ``received`` where a request is refused before its body is there.
    private var answered = 0
    private var isAnswering = false

    /// - Parameter bodyTimeout: The time for all of a request's body, whether it is waited for or was answered already.
    init(_ connections: AdminConnections, bodyTimeout: TimeAmount) {
        self.connections = connections
        self.bodyTimeout = bodyTimeout
    }

    func handlerAdded(context: ChannelHandlerContext) {
        connections.open(context.channel)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        bodyDeadline?.cancel()
        answerDeadline?.cancel()
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
        if event is ChannelShouldQuiesceEvent { shortenDeadlines(context) }
        context.fireUserInboundEventTriggered(event)
    }

    /// The listener ends: what is owed to it, or not taken from it, has little time left.
    private func shortenDeadlines(_ context: ChannelHandlerContext) {
        let loop = context.eventLoop.assumeIsolated()
        if let bodyDeadline {
            bodyDeadline.cancel()
            self.bodyDeadline = loop.scheduleTask(in: Self.lastBodyTimeout) { self.endOverdue(context) }
        }
        if isAnswering, answerDeadline == nil {
            answerDeadline = loop.scheduleTask(in: Self.lastAnswerTimeout) {
                if self.isAnswering { context.close(promise: nil) }
            }
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head:
            answered += 1
            isAnswering = true
            connections.noteUse(of: context.channel, isAwaited: received > answered)
        case .body: break
        case .end: isAnswering = false
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
