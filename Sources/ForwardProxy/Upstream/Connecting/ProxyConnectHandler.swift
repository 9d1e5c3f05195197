import Bytes
import Credentials
import HTTP1Codec
import NIOCore
import OAuthSigning
import Routing

/// Asks another proxy for a tunnel with CONNECT (RFC 9110, section 9.3.6), before anything else of a channel begins.
///
/// The handlers behind it learn that the channel is active when the tunnel is open, and receive its bytes alone.
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
    private var decoder: ResponseDecoder
    private var timer: Scheduled<Void>?
    private var isOver = false

    /// - Parameters:
    ///   - destination: The host and port that the tunnel leads to.
    ///   - timeout: How long the proxy's answer is waited for.
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
        decoder = ResponseDecoder(limits: limits)
    }

    /// Succeeds when the tunnel is open, before anything that came through it is passed on; fails with
    /// ``UpstreamFailure``.
    var opened: EventLoopFuture<Void> { promise.futureResult }

    func channelActive(context: ChannelHandlerContext) {
        decoder.expect(responseTo: .connect)
        context.writeAndFlush(wrapOutboundOut(request), promise: nil)
        timer = clock.schedule(in: timeout, on: context.eventLoop) { [self] in
            fail(.upstreamProxy(name, .timeout), context)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        decoder.append(unwrapInboundIn(data))
        do throws(MessageError) {
            while let event = try decoder.next() {
                guard case .head(let head) = event, !head.isInformational else { continue }
                guard 200...299 ~= head.status else {
                    return fail(.upstreamProxy(name, .refused(status: head.status)), context)
                }
                return open(context)
            }
        } catch {
            fail(.upstreamProxy(name, .malformed(error)), context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { fail(.upstreamProxy(name, .closed), context) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(error as? UpstreamFailure ?? .upstreamProxy(name, .closed), context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(.upstreamProxy(name, .closed), context)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
        // Of an attempt that came to nothing; an open tunnel has been reported.
        promise.fail(UpstreamFailure.upstreamProxy(name, .closed))
    }

    private func open(_ context: ChannelHandlerContext) {
        end()
        promise.succeed()
        let early = decoder.takeBuffered()
        context.fireChannelActive()
        if early.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(early))
            context.fireChannelReadComplete()
        }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    private func fail(_ failure: UpstreamFailure, _ context: ChannelHandlerContext) {
        guard !isOver else { return }
        end()
        promise.fail(failure)
        context.close(promise: nil)
    }

    private func end() {
        isOver = true
        timer?.cancel()
        timer = nil
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
