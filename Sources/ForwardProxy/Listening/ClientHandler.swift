import Glibc
import HTTP1Codec
import Logging
import NIOCore
import NIOSSL
import NIOTLS
import Routing

/// The last handler of a client's channel: decodes requests one at a time and sees each through.
///
/// 1. A request head is decoded, and routing decides upon it.
/// 2. CONNECT to an API host puts TLS in front of this handler, which then decodes what comes through it;
///    CONNECT to another host turns both channels into a blind tunnel.
/// 3. Every other request is handed to an ``Exchange``. The next head is not decoded before it is over.
final class ClientHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What the timer is for.
    private enum Wait {
        case nothing
        case requestHead
        case nextRequest
        case transfer
        case response
        case handshake
        case linger
    }

    private enum Phase {
        case serving
        /// A tunnel's other end is being connected.
        case connecting
        /// The last answer is out: what still comes is dropped, so that the answer is not lost to a reset.
        case lingering
        case closed
    }

    /// Octets that are read ahead while a request is in flight.
    private static let readAhead = 32 * 1024
    private static let lingerTime = TimeAmount.seconds(2)

    private let worker: ProxyWorker
    private let isOverLimit: Bool
    private var decoder: RequestDecoder
    private var phase: Phase = .serving
    private var interception: Interception?
    private var exchange: Exchange?
    private var context: ChannelHandlerContext?
    private var timer = ConnectionTimer()
    private var wait: Wait = .nothing
    private var isPumping = false
    private var readIsHeld = false
    private var inputEnded = false
    private var handshakeIsOver = false

    /// - Parameter isOverLimit: whether the connection is one too many: its first request is refused.
    init(worker: ProxyWorker, isOverLimit: Bool) {
        self.worker = worker
        self.isOverLimit = isOverLimit
        self.decoder = RequestDecoder(limits: worker.messageLimits)
    }

    var isWritable: Bool { context?.channel.isWritable ?? false }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        worker.clients.insert(self)
        start(.requestHead, worker.settings.timeouts.requestHeader)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard phase == .serving || phase == .connecting else { return }
        decoder.append(unwrapInboundIn(data))
        pump()
    }

    func read(context: ChannelHandlerContext) {
        if phase == .lingering || decoder.bufferedOctets < Self.readAhead {
            context.read()
        } else {
            readIsHeld = true
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { exchange?.clientBecameWritable() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted:
            handshakeIsOver = true
            start(.requestHead, worker.settings.timeouts.requestHeader)
        case ChannelEvent.inputClosed: inputClosed()
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case NIOSSLError.uncleanShutdown = error { return }
        if let interception, !handshakeIsOver {
            worker.reportClientHandshakeFailure(error, authority: interception.authority)
        }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    private func end() {
        guard phase != .closed else { return }
        phase = .closed
        timer.cancel()
        worker.clients.remove(self)
        let exchange = self.exchange
        self.exchange = nil
        exchange?.clientClosed()
    }

    /// The client sends nothing more. It still gets the answer to what it sent in full.
    private func inputClosed() {
        guard !inputEnded else { return }
        inputEnded = true
        switch phase {
        case .serving:
            if let exchange, exchange.requestIsComplete { return }
            context?.close(promise: nil)
        case .connecting, .lingering: context?.close(promise: nil)
        case .closed: break
        }
    }

    // MARK: Requests

    /// Decodes what is buffered, as far as it is wanted.
    private func pump() {
        guard !isPumping else { return }
        isPumping = true
        do throws(MessageError) {
            while phase == .serving {
                if let exchange {
                    guard exchange.wantsRequestBody, let event = try decoder.next() else { break }
                    hand(event, to: exchange)
                } else {
                    guard let event = try decoder.next() else { break }
                    if case .head(let head) = event { handle(head) }
                }
            }
        } catch {
            malformed(error)
        }
        isPumping = false
        exchange?.requestDelivered()
        noteBeginningOfHead()
        releaseRead()
    }

    private func hand(_ event: RequestEvent, to exchange: Exchange) {
        switch event {
        case .head: break
        case .body(let octets):
            progress()
            exchange.requestBody(octets)
        case .end(let trailers): exchange.requestEnd(trailers: trailers)
        }
    }

    private func malformed(_ error: MessageError) {
        if let exchange { return exchange.requestBroken(error) }
        answer(Problem(malformed: error), to: nil, requestIsComplete: false)
    }

    private func handle(_ head: RequestHead) {
        if worker.isDraining { return refuse(.stopping, head) }
        if isOverLimit { return refuse(.tooManyConnections, head) }
        for field in [KnownField.paraphAccount, .proxyAuthorization] where head.fields.contains(field) {
            // Which of two was meant cannot be known, and a request is never signed as the wrong one.
            guard head.fields.values(of: field).reduce(0, { count, _ in count + 1 }) == 1 else {
                return refuse(.repeatedField(field), head)
            }
        }
        switch (interception, head.targetForm) {
        case (nil, .authority): connect(head)
        case (nil, .absolute): forward(head)
        case (nil, .origin), (nil, .asterisk): refuse(.notAProxyRequest, head)
        case (.some, .authority): refuse(.connectInsideTLS, head)
        case (.some(let interception), _): forward(head, inside: interception)
        }
    }

    private func forward(_ head: RequestHead) {
        let account = head.fields.value(of: .paraphAccount)
        let authorization = head.fields.value(of: .proxyAuthorization)
        let host = head.fields.value(of: .host)
        let decision = RoutingQuery.decide(
            worker.settings.router,
            absolute: head.target,
            method: head.methodOctets,
            host: host,
            proxyAuthorization: authorization,
            account: account
        )
        carryOut(decision, head)
    }

    private func forward(_ head: RequestHead, inside interception: Interception) {
        let decision = RoutingQuery.decide(
            worker.settings.router,
            inside: interception,
            method: head.methodOctets,
            target: head.target,
            host: head.fields.value(of: .host),
            account: head.fields.value(of: .paraphAccount)
        )
        carryOut(decision, head)
    }

    private func carryOut(_ decision: RequestDecision, _ head: RequestHead) {
        switch decision {
        case .refuse(let refusal): refuse(Problem(refusal), head)
        case .pass(let authority, let offset, let client):
            exchange(head, ExchangeRoute(passing: head, to: authority, originOffset: offset, client: client))
        case .forward(let forwarding):
            let api = worker.apis[forwarding.route.index]
            if api.settings.existingAuthorization == .refuse, head.fields.contains(.authorization) {
                return refuse(.authorizationRefused(api: api.settings.name), head)
            }
            exchange(head, ExchangeRoute(forwarding: forwarding, head: head, api: api.settings))
        }
    }

    private func exchange(_ head: RequestHead, _ route: ExchangeRoute) {
        let exchange = Exchange(head: head, route: route, client: self, worker: worker)
        self.exchange = exchange
        start(.transfer, worker.settings.timeouts.idle)
        exchange.start()
    }

    private func refuse(_ problem: Problem, _ head: RequestHead) {
        worker.logRefusal(problem, head)
        answer(problem, to: head, requestIsComplete: head.framing == .none && head.method != .connect)
    }

    // MARK: CONNECT

    private func connect(_ head: RequestHead) {
        let decision = RoutingQuery.decide(
            worker.settings.router,
            connect: head.target,
            proxyAuthorization: head.fields.value(of: .proxyAuthorization)
        )
        switch decision {
        case .refuse(let refusal): refuse(Problem(refusal), head)
        case .tunnel(let authority, let client): tunnel(to: authority, client: client, head)
        case .intercept(let interception): intercept(interception, head)
        }
    }

    private func intercept(_ interception: Interception, _ head: RequestHead) {
        guard let context else { return }
        do {
            let tls = try worker.leaves.context(for: interception.authority)
            self.interception = interception
            acceptConnect()
            let early = decoder.takeBuffered()
            decoder = RequestDecoder(limits: worker.messageLimits)
            start(.handshake, worker.settings.timeouts.handshake)
            try context.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls), position: .before(self))
            // A client need not wait for the answer before it begins to shake hands.
            if early.readableBytes > 0 {
                context.pipeline.fireChannelRead(early)
                context.pipeline.fireChannelReadComplete()
            }
        } catch {
            worker.logger.error(
                "no certificate could be made",
                metadata: ["host": "\(interception.authority.host)", "reason": "\(error)"]
            )
            refuse(.noLeaf(host: interception.authority.host), head)
        }
    }

    private func acceptConnect() {
        write(ByteBuffer(staticString: "HTTP/1.1 200 Connection established\r\n\r\n"))
        flush()
    }

    private func tunnel(to authority: Authority, client: Client?, _ head: RequestHead) {
        guard let context else { return }
        phase = .connecting
        timer.clear()
        let start = NIODeadline.now()
        let connected = worker.connector.connect(to: authority, connectTo: nil) { channel in
            channel.eventLoop.makeSucceededVoidFuture()
        }
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        connected.whenComplete { result in
            let handler = bound.value
            switch result {
            case .success(let channel): handler.openTunnel(to: channel, authority: authority, client: client, start)
            case .failure(let error):
                guard handler.phase == .connecting else { return }
                handler.phase = .serving
                let failure = UpstreamFailure(connecting: error, host: authority.host)
                handler.refuse(failure.problem(authority: "\(authority)"), head)
            }
        }
    }

    private func openTunnel(to upstream: any Channel, authority: Authority, client: Client?, _ start: NIODeadline) {
        guard phase == .connecting, let context else {
            upstream.close(promise: nil)
            return
        }
        let (near, far) = TunnelHandler.pair(idleTime: worker.settings.timeouts.idle)
        worker.watchTunnel(near, far, authority: authority, client: client?.name, start: start)
        acceptConnect()
        let early = decoder.takeBuffered()
        do {
            try upstream.pipeline.syncOperations.addHandler(far)
            try context.pipeline.syncOperations.addHandler(near, position: .after(self))
            let pipeline = context.pipeline
            if early.readableBytes > 0 {
                context.fireChannelRead(NIOAny(early))
                context.fireChannelReadComplete()
            }
            let wasHeld = readIsHeld
            phase = .closed
            timer.cancel()
            worker.clients.remove(self)
            worker.tunnels.insert(near)
            pipeline.syncOperations.removeHandler(context: context, promise: nil)
            if wasHeld { pipeline.read() }
        } catch {
            upstream.close(promise: nil)
            context.close(promise: nil)
        }
    }

    // MARK: For the exchange

    func write(_ octets: ByteBuffer) {
        context?.write(wrapOutboundOut(octets), promise: nil)
    }

    func flush() {
        context?.flush()
    }

    /// The exchange can take more of the request.
    func requestBodyWanted() {
        pump()
    }

    /// The whole request is out.
    func awaitResponse() {
        start(.response, worker.settings.timeouts.responseHeader)
    }

    /// Something has moved.
    func progress() {
        start(.transfer, worker.settings.timeouts.idle)
    }

    /// The response is through, and so is the request.
    func exchangeFinished(close: Bool) {
        exchange = nil
        if close || inputEnded || worker.isDraining {
            if inputEnded { context?.close(promise: nil) } else { linger() }
            return
        }
        start(.nextRequest, worker.settings.timeouts.idle)
        pump()
    }

    /// The response is through, but the client has not been read to the end of its request.
    func exchangeFinishedUnread() {
        exchange = nil
        linger()
    }

    /// The client must see that its response is not whole: no orderly end.
    func abort() {
        exchange = nil
        phase = .closed
        timer.cancel()
        worker.clients.remove(self)
        guard let context else { return }
        // A reset, and not an end that could pass for the response's.
        (context.channel as? any SocketOptionProvider)?.setSoLinger(Glibc.linger(l_onoff: 1, l_linger: 0))
            .whenComplete { [channel = context.channel] _ in channel.close(promise: nil) }
    }

    /// Sends the proxy's own answer.
    func answer(_ problem: Problem, to head: RequestHead?, requestIsComplete: Bool) {
        exchange = nil
        guard let context, phase != .closed else { return }
        // After a malformed request nothing that follows can be trusted to be one.
        let closes =
            !requestIsComplete || problem.status == 400 || worker.isDraining || isOverLimit
            || !(head?.keepAlive ?? false)
        write(
            ProblemResponse.octets(
                for: problem,
                omitsBody: head?.method == .head,
                closes: closes,
                allocator: context.channel.allocator
            )
        )
        flush()
        if closes { return linger() }
        start(.nextRequest, worker.settings.timeouts.idle)
        pump()
    }

    private func linger() {
        guard let context, phase != .closed, phase != .lingering else { return }
        phase = .lingering
        start(.linger, Self.lingerTime)
        context.close(mode: .output, promise: nil)
        releaseRead()
    }

    /// The proxy is stopping: a connection between requests ends now, any other after its response.
    func drain() {
        if phase == .serving, exchange == nil { context?.close(promise: nil) }
    }

    func closeNow() {
        context?.close(promise: nil)
    }

    // MARK: Time

    private func start(_ wait: Wait, _ amount: TimeAmount) {
        guard let context else { return }
        self.wait = wait
        timer.set(amount, on: context.eventLoop) { [self] in timerFired() }
    }

    /// Between requests the first octet of a head starts the time for the whole head.
    private func noteBeginningOfHead() {
        guard wait == .nextRequest, phase == .serving, exchange == nil, decoder.bufferedOctets > 0 else { return }
        start(.requestHead, worker.settings.timeouts.requestHeader)
    }

    private func timerFired() {
        guard let context, timer.isDue(on: context.eventLoop, fire: { [self] in timerFired() }) else { return }
        switch wait {
        case .nothing: break
        case .requestHead where decoder.bufferedOctets > 0:
            answer(.requestTimeout, to: nil, requestIsComplete: false)
        case .requestHead, .nextRequest, .handshake, .linger: context.close(promise: nil)
        case .transfer:
            if let exchange { exchange.stalled() } else { context.close(promise: nil) }
        case .response: exchange?.responseTimedOut()
        }
    }

    private func releaseRead() {
        guard readIsHeld, phase == .lingering || decoder.bufferedOctets < Self.readAhead else { return }
        readIsHeld = false
        context?.read()
    }
}

extension ClientHandler: Hashable {
    static func == (one: ClientHandler, other: ClientHandler) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ClientHandler: RemovableChannelHandler {}

@available(*, unavailable)
extension ClientHandler: Sendable {}
