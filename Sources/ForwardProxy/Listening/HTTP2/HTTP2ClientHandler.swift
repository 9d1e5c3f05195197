import HTTP1Codec
import HTTP2Codec
import Logging
import NIOCore
import NIOSSL
import Routing
import Settings

/// The last handler of an intercepted client's channel where the client chose HTTP/2: sees the requests of all its
/// streams through, each as an ``Exchange``.
///
/// Only carries out what ``HTTP2ClientConnectionStateMachine`` says, and writes by ``HTTP2Wire``. What a stream brings
/// waits in its ``HTTP2ClientStream`` until the exchange takes it, within the stream's window.
final class HTTP2ClientHandler: ChannelDuplexHandler, ClientConnection {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let proxyLoop: ProxyLoop
    private var requests: RequestDecider
    private let wire: HTTP2Wire
    private var machine: HTTP2ClientConnectionStateMachine
    private var streams = HTTP2ClientStreams()
    let clock: any ProxyClock
    private var deadlines: StreamDeadlines
    /// The memory of a header block that is not whole yet.
    private var headMemory = HeadMemory()
    private var countedUsage = CountedUsage()
    var ownedConnections: OwnedConnections?

    /// - Parameter requests: By which CONNECT was decided upon.
    init(proxyLoop: ProxyLoop, requests: RequestDecider) {
        self.proxyLoop = proxyLoop
        self.requests = requests
        let limits = proxyLoop.worker.messageLimits
        clock = proxyLoop.clock
        wire = HTTP2Wire(
            HTTP2Connection(role: .server, limits: HTTP2Limits(for: limits), messageLimits: limits),
            turn: proxyLoop.turn,
            clock: clock
        )
        deadlines = StreamDeadlines(clock: clock)
        let now = clock.now
        let deadline = now + proxyLoop.timeouts.requestHeader
        machine = HTTP2ClientConnectionStateMachine(at: now, deadline: deadline)
    }

    /// Serves what begins now; an exchange keeps the one that it began with.
    var worker: ProxyWorker { proxyLoop.worker }

    private var context: ChannelHandlerContext? { wire.context }

    private var isClosed: Bool { machine.isClosed }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        wire.attach(to: context)
        proxyLoop.insert(self)
        note(machine.deadline)
        wire.flushNow()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
        deadlines.cancel()
        ownedConnections?.end()
        wire.detach()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosed else { return }
        wire.receive(unwrapInboundIn(data), at: clock.coarseNow) { react() }
        let action = machine.received(
            unfinishedHead: wire.connection.streamOfUnfinishedHead,
            at: clock.now,
            within: proxyLoop.timeouts.requestHeader
        )
        run(action)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        wire.flushNow()
    }

    func read(context: ChannelHandlerContext) {
        if wire.mayRead(isOpen: !isClosed) { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let releasesRead = wire.writabilityChanged(to: context.channel.isWritable)
        guard wire.isWritable else { return }
        for stream in Array(streams.all) { stream.becameWritable() }
        wire.flushNow()
        if releasesRead { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // An HTTP/2 client that sends nothing more could not open its windows, nor answer SETTINGS: it is gone.
        if case ChannelEvent.inputClosed = event { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case NIOSSLError.uncleanShutdown = error { return }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    private func end() { if machine.end() { letGo() } }

    private func letGo() {
        deadlines.cancel()
        wire.connection.dropBuffered()
        headMemory.release()
        proxyLoop.remove(self)
        for stream in streams.takeAll() { stream.gone(.cancelled) }
    }

    // MARK: Events

    /// Takes whatever the connection has to say; to be called after each call that may make it say something.
    ///
    /// Requests begin when all of it has been heard: what is known to be malformed by then is not signed, nor sent.
    private func react() {
        do throws(HTTP2ConnectionError) {
            while !isClosed, let event = try wire.connection.next() { take(event) }
        } catch {
            fail(error)
        }
        // Before the exchanges of heads that are whole count them.
        if !isClosed { holdHead() }
        for stream in streams.takeArrived() where streams.contains(stream) { begin(stream) }
    }

    private func take(_ event: HTTP2Event) {
        switch event {
        case .requestHead(let id, let head, _):
            streams.insert(HTTP2ClientStream(id: id, head: head, wire: wire, handler: self))
            machine.streamBegan()
        case .data(let id, let bytes):
            wire.received(bytes: bytes.readableBytes, at: clock.coarseNow)
            if let stream = streams[id] {
                stream.receive(bytes)
            } else {
                wire.connection.consumed(id, bytes: bytes.readableBytes)
            }
        case .end(let id, let trailers): streams[id]?.receiveEnd(trailers)
        case .reset(let id, let code, let error):
            guard let stream = streams.remove(id) else { return unknownReset(error) }
            if let error, streams.isNew(stream) { stream.malformed(error) }
            stream.gone(.reset(code))
            streamEnded()
        case .refused(let id, let error, let status): refuse(id, error, status)
        case .writable(let id):
            streams[id]?.becameWritable()
            restSent()
        case .goAway: run(machine.goAwayReceived(codecIsIdle: wire.connection.isIdle))
        case .pong: run(machine.pongReceived(codecIsIdle: wire.connection.isIdle))
        case .responseHead: break
        }
    }

    private func begin(_ stream: HTTP2ClientStream) {
        machine.requestBegan()
        if streams.count == 1 { wire.requestBegan(at: clock.coarseNow) }
        do throws(RefusedRequest) {
            stream.serve(try requests.admit(intercepted: stream.head, usage: { usage(of: $0) }, by: worker), by: worker)
        } catch {
            stream.refuse(error.problem)
            if error.problem == .configurationChanged { leave() }
        }
    }

    /// A head that cannot be used.
    private func refuse(_ id: HTTP2StreamID, _ error: HeaderBlockError, _ status: Int) {
        let problem = Problem(unreadable: error, status: status, headerLimit: worker.settings.limits.header)
        worker.earlyRequests.refused(early(nil, at: clock.now), problem)
        wire.connection.sendAnswer(id, problem, omitsBody: false)
        wire.flush()
    }

    /// A stream was reset that is over, or whose head cannot be used.
    ///
    /// - Parameter error: The client's mistake; nil when it has reset the stream itself.
    private func unknownReset(_ error: HTTP2StreamError?) {
        if let error, case .head = error { worker.earlyRequests.reset(early(nil, at: clock.now), for: error) }
        restSent()
    }

    private func fail(_ error: HTTP2ConnectionError) {
        worker.logger.debug(
            "a client's HTTP/2 connection was ended",
            metadata: ["host": "\(requests.interception?.authority.host ?? "")", "reason": "\(error)"]
        )
        close()
    }

    // MARK: Heads that are not whole

    /// Counts what has come of a head, where that is much, and ends the connection when the client may not have so much
    /// held. The head cannot be skipped, for those after it need its fields to be decompressed.
    private func holdHead() {
        let bytes = wire.connection.bufferedBytes
        guard bytes > HeadMemory.uncountedBytes else { return headMemory.release() }
        if let more = headMemory.hold(bytes, for: usage(of: clientName)) { refuseHead(asking: more) }
    }

    func endUnfinishedHead() -> Bool {
        guard !isClosed, headMemory.bytes > 0 else { return false }
        refuseHead(asking: nil)
        return true
    }

    /// - Parameter more: Bytes that were asked for; nil: what it has is taken from it.
    private func refuseHead(asking more: Int?) {
        let problem = worker.usages.memoryRefused(to: usage(of: clientName), asking: more)
        worker.logger.debug("a client's HTTP/2 connection was ended", metadata: ["reason": "\(problem.detail)"])
        wire.connection.goAway(.enhanceYourCalm, refusingLaterStreams: true, debugText: problem.detail)
        close()
    }

    // MARK: What streams ask for

    /// Returns what is known of a request that is no exchange.
    ///
    /// - Parameters:
    ///   - head: Nil when none could be read.
    ///   - arrival: The time at which that had come.
    func early(_ head: RequestHead?, at arrival: NIODeadline) -> EarlyRequest {
        var request = EarlyRequest(head, at: arrival, from: address)
        requests.describe(&request, by: worker)
        return request
    }

    func forget(_ id: HTTP2StreamID) {
        streams.remove(id)?.releaseWindow()
        streamEnded()
    }

    private func streamEnded() {
        guard streams.isEmpty, !isClosed else { return }
        run(machine.lastStreamEnded(at: clock.now, idle: idleTime, codecIsIdle: wire.connection.isIdle))
    }

    // MARK: End

    func configurationChanged() {
        ownedConnections?.closeIdle()
        guard streams.isEmpty, !requests.configurationChanged(to: worker) else { return }
        leave()
    }

    /// Requests that are on their way already are still served: later ones are refused a round trip later.
    func drain() {
        run(machine.drain())
    }

    func closeNow() {
        for stream in streams.all { stream.cutOff() }
        context?.close(promise: nil)
    }

    var address: SocketAddress? { context?.channel.remoteAddress }
    var peer: PeerAddress { PeerAddress(context?.channel.remoteAddress) }

    func usage(of name: String?) -> ClientUsage { countedUsage.usage(of: name, at: peer, on: proxyLoop) }

    var clientName: String? { requests.interception?.client?.name }

    /// The time since which nobody has been named. It is always nil: no request gets this far without a name.
    var unnamedSince: NIODeadline? { nil }

    var isPlaced: Bool { requests.identity.isPlaced }

    var keptSince: NIODeadline? { machine.keptSince.flatMap { wire.hasSentAll ? $0 : nil } }

    var silentSince: NIODeadline? { machine.silentSince.flatMap { wire.hasSentAll ? $0 : nil } }

    func slowSince(at now: NIODeadline) -> NIODeadline? {
        guard !isClosed, isPlaced else { return nil }
        let lastTaken = wire.lastTaken(at: now)
        if streams.isEmpty { return lastTaken ?? machine.headSince }
        guard streams.all.allSatisfy(\.isClientsTurn) else { return nil }
        return max(wire.lastProgress, lastTaken ?? .distantPast)
    }

    /// The place of a connection that is being admitted. It is always nil: the connection has been seen with its place
    /// since.
    var admission: ConnectionCounter.Place? { nil }

    func unreadSince(at now: NIODeadline) -> NIODeadline? { wire.lastTakenOfChannel(at: now) }

    func heldMemory(of client: ClientUsage) -> [HeldMemory] {
        var held = streams.all.compactMap { $0.exchange?.heldMemory(of: client) }
        if headMemory.bytes > 0, headMemory.isOf(client) {
            held.append(HeldMemory(bytes: headMemory.bytes) { [self] in _ = endUnfinishedHead() })
        }
        return held
    }

    var mayGiveWay: Bool { context?.channel.mayEndInOrder != false }

    func giveWay() {
        wire.connection.goAway(refusingLaterStreams: true)
        wire.flushNow()
        for stream in streams.all { stream.giveWay() }
        end()
        // Past TLS: a client that has nothing to say for a long time may not answer TLS's closure alert either.
        if let bare = context?.pastTLS { linger(on: bare) }
    }

    /// Accepts no more streams, and closes when those that are open have ended.
    private func leave() {
        run(machine.leave(codecIsIdle: wire.connection.isIdle))
    }

    /// Notes that the rest of a stream that is over has gone out, or was dropped.
    private func restSent() {
        run(machine.restSent(codecIsIdle: wire.connection.isIdle))
    }

    private func run(_ action: HTTP2ClientConnectionStateMachine.Action) {
        switch action {
        case .none: break
        case .wait(let deadline): note(deadline)
        case .announceEnd:
            wire.connection.goAway(refusingLaterStreams: false)
            wire.connection.sendPing(0)
            wire.flushNow()
        case .refuseLaterStreams(let deadline):
            wire.connection.goAway(refusingLaterStreams: true)
            wire.flushNow()
            note(deadline)
        case .close(let code):
            wire.connection.goAway(code, refusingLaterStreams: true)
            close()
        }
    }

    private func close() {
        guard let context, machine.closeBegan() else { return }
        wire.connection.goAway(refusingLaterStreams: true)
        letGo()
        // A client that takes nothing has no more time than others have between two steps.
        close(context, in: idleTime)
        context.flush(writing: wire.connection.takeOutput()) { [self] in
            if machine.outputTaken() == .endOutput, let context = self.context { linger(on: context) }
        }
        if wire.holdsRead { context.read() }
    }

    /// Ends the output. What the client still says of its windows must not bring about a reset that overtakes the last
    /// response.
    private func linger(on context: ChannelHandlerContext) {
        context.close(mode: .output, promise: nil)
        close(context, in: OrderlyClose.lingerTime)
    }

    private func close(_ context: ChannelHandlerContext, in time: TimeAmount) {
        deadlines.note(clock.now + time, on: context.eventLoop) { context.close(promise: nil) }
    }

    // MARK: Time

    func note(_ deadline: NIODeadline) {
        guard let context, !isClosed else { return }
        deadlines.note(deadline, on: context.eventLoop) { [self] in timerFired() }
    }

    var idleTime: TimeAmount { proxyLoop.timeouts.idle }

    private func timerFired() {
        deadlines.fired()
        guard !isClosed else { return }
        let now = clock.now
        wire.tick(at: now)
        wire.resetStalled(for: idleTime) { streams[$0] == nil }
        restSent()
        for stream in Array(streams.all) where stream.deadline <= now { stream.timeIsOver() }
        let action = machine.timerFired(
            at: now,
            idle: idleTime,
            isTaking: wire.connection.keptBytes > 0 || wire.isTaking(at: now, within: idleTime)
        )
        run(action)
        if let next = streams.all.map(\.deadline).min() { note(max(next, now + .milliseconds(1))) }
        wire.flushNow()
    }
}

@available(*, unavailable)
extension HTTP2ClientHandler: Sendable {}
