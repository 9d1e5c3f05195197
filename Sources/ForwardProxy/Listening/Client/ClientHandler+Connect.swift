import HTTP1Codec
import Logging
import NIOCore
import NIOSSL
import Routing
import Settings

// MARK: - CONNECT

extension ClientHandler {
    func intercept(_ intercepted: InterceptedConnect, _ head: RequestHead) {
        guard let context else { return }
        let authority = intercepted.interception.authority
        do {
            let tls = try worker.leaves.context(for: authority)
            requests.interceptionBegan(intercepted)
            acceptConnect()
            worker.decisions.tellIntercepted(intercepted.interception, address: address)
            let early = input.restart(limits: worker.messageLimits)
            machine.handshakeBegan()
            startTimer()
            let outer = beginsWithTLS ? context.pastTLS : nil
            try HandshakeObserver(reports: proxyLoop.handshakes, authority: authority)
                .add(NIOSSLServerHandler(context: tls), to: context.pipeline.syncOperations, position: .before(self))
            // A client need not wait for the answer before it begins to shake hands.
            guard early.readableBytes > 0 else { return }
            if let outer {
                // What has come is out of the TLS that the connection begins with.
                outer.fireChannelRead(NIOAny(early))
                outer.fireChannelReadComplete()
            } else {
                context.pipeline.fireChannelRead(early)
                context.pipeline.fireChannelReadComplete()
            }
        } catch {
            worker.logger.error(
                "no certificate could be made",
                metadata: ["host": "\(authority.host)", "reason": "\(error)"]
            )
            refuse(.noLeaf(host: authority.host), early(head))
        }
    }

    /// The client has chosen HTTP/2: another handler takes the place of this one.
    func becomeHTTP2() {
        guard let context else { return }
        let handler = HTTP2ClientHandler(proxyLoop: proxyLoop, requests: requests)
        do {
            machine.handedOver()
            leave()
            try context.pipeline.syncOperations.addHandler(handler, position: .after(self))
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
            if proxyLoop.isDraining { handler.drain() }
        } catch {
            context.close(promise: nil)
        }
    }

    private func acceptConnect() {
        write(ByteBuffer(staticString: "HTTP/1.1 200 Connection established\r\n\r\n"))
        context?.flush()
    }

    func tunnel(to authority: Authority, client: Client?, _ head: RequestHead) {
        let attempt: TunnelAttempt
        do throws(Problem) {
            attempt = try TunnelAttempt(to: authority, for: usage(of: client?.name), on: proxyLoop)
        } catch {
            return refuse(error, early(head))
        }
        machine.requestWaits(for: .tunnel(attempt.dial))
        startTimer()
        var request = early(head)
        (request.client, request.authority) = (client?.name, authority)
        attempt.connect().assumeIsolated().whenComplete { [self] result in
            switch attempt.ended(result, &request) {
            case .success(let upstream): openTunnel(to: upstream, request)
            case .failure(let failure):
                guard machine.tunnelFailed() == .refuse else { return worker.earlyRequests.givenUp(request) }
                refuse(failure.problem(authority: "\(authority)"), request)
            }
        }
    }

    private func openTunnel(to upstream: any Channel, _ request: EarlyRequest) {
        guard machine.tunnelConnected() == .openTunnel, let context else {
            upstream.close(promise: nil)
            return worker.earlyRequests.givenUp(request)
        }
        let (near, far) = TunnelHandler.pair(idleTime: proxyLoop.timeouts.idle, clock: clock)
        proxyLoop.watchTunnel(near, request)
        acceptConnect()
        do {
            try becomeTunnel(near) { try upstream.pipeline.syncOperations.addHandler(far) }
        } catch {
            near.end()
            upstream.close(promise: nil)
            context.close(promise: nil)
        }
    }

    /// Gives the connection over to one end of a tunnel.
    ///
    /// - Parameter connect: Makes the other end ready to be written to.
    /// - Throws: Also where the connection has just ended, as it does when what was written to it fails.
    func becomeTunnel(_ near: TunnelHandler, connect: () throws -> Void) throws {
        guard let context, context.channel.isActive else { throw ChannelError.ioOnClosedChannel }
        let pipeline = context.pipeline
        let early = input.takeBuffered()
        try pipeline.syncOperations.addHandler(near, position: .after(self))
        machine.handedOver()
        leave()
        proxyLoop.insert(near)
        try connect()
        if early.readableBytes > 0 {
            context.fireChannelRead(NIOAny(early))
            context.fireChannelReadComplete()
        }
        if machine.inputHasEnded { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        pipeline.syncOperations.removeHandler(context: context, promise: nil)
        if machine.readIsHeld { pipeline.read() }
    }
}

// MARK: - TLS with the client

extension ClientHandler {
    /// The time for the first request of a connection that is one too many.
    private static let overLimitTime = TimeAmount.seconds(5)

    /// Indicates whether what this handler writes goes through TLS.
    var hasTLS: Bool { beginsWithTLS || requests.intercepted != nil }

    /// The context by which writes and closes go to the bare connection, past TLS if there is any.
    var bareContext: ChannelHandlerContext? { hasTLS ? context?.pastTLS : context }

    /// Ends the connection without another word of TLS, which would wait for the client's close_notify.
    func closePastTLS() {
        flushIfDue()
        bareContext?.close(promise: nil)
    }

    /// Starts the time for the first head, once TLS to the proxy has begun, if there is any.
    func startFirstHeadTimer() {
        let time = proxyLoop.timeouts.requestHeader
        startTimer(requests.identity.overLimit == nil ? time : min(time, Self.overLimitTime))
    }
}
