import Bytes
import Credentials
import HTTP1Codec
import NIOCore
import OAuthSigning
import Routing

/// Asks another proxy for a tunnel with CONNECT (RFC 9110, section 9.3.6), before anything else of a channel begins.
///
/// The handlers behind it learn that the channel is active when the tunnel is open, and receive its bytes alone. Only
/// carries out what ``ProxyTunnelStateMachine`` says.
final class ProxyConnectHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let proxy: UpstreamProxy
    private let destination: Authority
    private let timeout: TimeAmount
    private let clock: any ProxyClock
    private let promise: EventLoopPromise<Void>
    private var machine: ProxyTunnelStateMachine<Scheduled<Void>>

    /// - Parameters:
    ///   - destination: The host and port that the tunnel leads to.
    ///   - timeout: The time for which the proxy's answer is waited for.
    init(
        proxy: UpstreamProxy,
        destination: Authority,
        limits: MessageLimits,
        timeout: TimeAmount,
        clock: any ProxyClock,
        loop: any EventLoop
    ) {
        self.proxy = proxy
        self.destination = destination
        self.timeout = timeout
        self.clock = clock
        promise = loop.makePromise()
        machine = ProxyTunnelStateMachine(limits: limits)
    }

    /// Succeeds when the tunnel is open, before anything that came through it is passed on; fails with
    /// ``UpstreamFailure``.
    var opened: EventLoopFuture<Void> { promise.futureResult }

    func channelActive(context: ChannelHandlerContext) {
        switch machine.connected(timer: answerTimer(context)) {
        case .ask: context.writeAndFlush(wrapOutboundOut(request), promise: nil)
        case .none: break
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch machine.received(unwrapInboundIn(data)) {
        case .none: break
        case .open(let timer, let early):
            timer.cancel()
            open(context, early)
        case .fail(let timer, let failure): fail(.upstreamProxy(name, failure), context, timer)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { lost(.closed, context) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(error as? UpstreamFailure ?? .upstreamProxy(name, .closed), context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        lost(.closed, context)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        // Of an attempt that came to nothing; an open tunnel has been reported.
        lost(.closed, context)
    }

    private func answerTimer(_ context: ChannelHandlerContext) -> Scheduled<Void> {
        clock.schedule(in: timeout, on: context.eventLoop) { [self] in lost(.timeout, context) }
    }

    private func open(_ context: ChannelHandlerContext, _ early: ByteBuffer) {
        promise.succeed()
        context.fireChannelActive()
        if early.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(early))
            context.fireChannelReadComplete()
        }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    private func lost(_ failure: UpstreamProxyFailure, _ context: ChannelHandlerContext) {
        end(.upstreamProxy(name, failure), context)
    }

    private func end(_ failure: UpstreamFailure, _ context: ChannelHandlerContext) {
        switch machine.ended() {
        case .fail(let timer): fail(failure, context, timer)
        case .none: break
        }
    }

    private func fail(_ failure: UpstreamFailure, _ context: ChannelHandlerContext, _ timer: Scheduled<Void>?) {
        timer?.cancel()
        promise.fail(failure)
        context.close(promise: nil)
    }

    private var name: String { proxy.description }

    private var request: ByteBuffer {
        var bytes = ByteBuffer()
        bytes.writeString("CONNECT \(destination) HTTP/1.1\r\nHost: \(destination)\r\n")
        if let user = proxy.username {
            let password = proxy.password?.revealed() ?? ""
            let credentials = "\(user):\(password)"
            bytes.writeStaticString("Proxy-Authorization: Basic ")
            bytes.writeBytes(Base64.encode(credentials.utf8Span.span))
            bytes.writeStaticString("\r\n")
        }
        bytes.writeStaticString("\r\n")
        return bytes
    }
}

@available(*, unavailable)
extension ProxyConnectHandler: Sendable {}
