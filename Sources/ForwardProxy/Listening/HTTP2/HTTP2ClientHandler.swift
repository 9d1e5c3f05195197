import HTTP2Codec
import Logging
import NIOCore
import NIOSSL
import Routing
import Settings

/// The last handler of an intercepted client's channel where the client chose HTTP/2: sees the requests of all its
/// streams through, each as an ``Exchange``.
///
/// What a stream brings waits in its ``HTTP2ClientStream`` until the exchange takes it, within the stream's window.
final class HTTP2ClientHandler: ChannelDuplexHandler, ClientConnection, FlushedAtTurnEnd {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let proxyLoop: ProxyLoop
    /// The reason why its requests are refused, where the connection is one too many.
    private let overLimit: Shortage?
    private let intercepted: InterceptedConnect
    var connection: HTTP2Connection
    private var streams: [HTTP2StreamID: HTTP2ClientStream] = [:]
    /// Those that came with what is being read.
    private var arrivedStreams: [(HTTP2StreamID, HTTP2ClientStream)] = []
    private(set) var context: ChannelHandlerContext?
    let clock: any ProxyClock
    private var deadlines: StreamDeadlines
    private var idleDeadline: NIODeadline
    /// The time since which there has been no stream, as long as there is none.
    private var idleStart: NIODeadline
    /// The time by which a head that has begun must be whole.
    private var headDeadline: NIODeadline = .distantFuture
    /// The stream of that head.
    private var unfinishedHead: HTTP2StreamID?
    private var seconds: SecondsCounter
    /// The bytes that had been written and not been taken by the client, and when their number was last seen to have
    /// changed.
    private var unsentBefore = 0
    private var unsentChanged: NIODeadline = .distantPast
    /// Of the requests in flight.
    private var progressMade: Progress
    /// The answers that the client has not taken.
    private var backlog = Backlog()
    private var flushIsDue = false
    private var isReceiving = false
    private var readIsHeld = false
    /// Indicates whether the client has not shown yet that it knows of the end, so that its requests may be under way.
    private var awaitsPong = false
    private(set) var isClosed = false
    /// Indicates whether a request has come.
    private var hasServed = false
    /// Bytes of a header block that is not whole yet.
    var headMemory = MemoryClaim()
    var lastUsage: ClientUsage?
    var ownedConnections: OwnedConnections?
    /// The rest of ``BodyWindow/spare``.
    var spareWindow = BodyWindow.spare

    /// - Parameter overLimit: Why its requests are refused; nil: they are not.
    init(proxyLoop: ProxyLoop, intercepted: InterceptedConnect, overLimit: Shortage?) {
        self.proxyLoop = proxyLoop
        self.intercepted = intercepted
        self.overLimit = overLimit
        let limits = proxyLoop.worker.messageLimits
        connection = HTTP2Connection(role: .server, limits: HTTP2Limits(for: limits), messageLimits: limits)
        clock = proxyLoop.worker.clock
        progressMade = Progress(begun: clock.coarseNow)
        deadlines = StreamDeadlines(clock: clock)
        idleStart = clock.now
        seconds = SecondsCounter(since: idleStart)
        idleDeadline = idleStart + proxyLoop.worker.settings.timeouts.requestHeader
    }

    private(set) var isWritable = true

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        isWritable = context.channel.isWritable
        proxyLoop.clients.insert(self)
        note(idleDeadline)
        flushNow()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
        deadlines.cancel()
        ownedConnections?.end()
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosed else { return }
        connection.tick(seconds: seconds.passed(until: clock.coarseNow))
        connection.receive(unwrapInboundIn(data))
        isReceiving = true
        react()
        isReceiving = false
        noteHead()
    }

    private func noteHead() {
        let unfinished = connection.streamOfUnfinishedHead
        // One may have been completed, and the next one begun, with the same read.
        guard unfinished != unfinishedHead else { return }
        unfinishedHead = unfinished
        guard unfinished != nil else { return headDeadline = .distantFuture }
        headDeadline = clock.now + worker.settings.timeouts.requestHeader
        note(headDeadline)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        flushNow()
    }

    /// A client that does not take what it is sent gets no more answers, and so is not read either.
    func read(context: ChannelHandlerContext) {
        if isClosed || isWritable || connection.waitingBytes < HTTP2UpstreamHandler.outputLimit {
            context.read()
        } else {
            readIsHeld = true
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable
        guard isWritable else { return }
        for stream in Array(streams.values) { stream.becameWritable() }
        flushNow()
        guard readIsHeld else { return }
        readIsHeld = false
        context.read()
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

    private func end() {
        guard !isClosed else { return }
        isClosed = true
        deadlines.cancel()
        connection.dropBuffered()
        headMemory.release()
        proxyLoop.clients.remove(self)
        let open = streams.values
        streams.removeAll()
        for stream in open { stream.gone(.cancelled) }
    }

    // MARK: Events

    /// Takes whatever the connection has to say; to be called after each call that may make it say something.
    ///
    /// Requests begin when all of it has been heard: what is known to be malformed by then is not signed, nor sent.
    private func react() {
        do throws(HTTP2ConnectionError) {
            while !isClosed, let event = try connection.next() { take(event) }
        } catch {
            fail(error)
        }
        // Before the exchanges of heads that are whole count them.
        if !isClosed { holdHead() }
        let arrived = arrivedStreams
        arrivedStreams.removeAll(keepingCapacity: true)
        for (id, stream) in arrived where streams[id] === stream { begin(stream) }
    }

    private func take(_ event: HTTP2Event) {
        switch event {
        case .requestHead(let id, let head, _):
            let stream = HTTP2ClientStream(id: id, head: head, handler: self)
            streams[id] = stream
            arrivedStreams.append((id, stream))
        case .data(let id, let bytes):
            progressMade.moved(bytes.readableBytes, at: clock.coarseNow)
            if let stream = streams[id] {
                stream.receive(bytes)
            } else {
                connection.consumed(id, bytes: bytes.readableBytes)
            }
        case .end(let id, let trailers): streams[id]?.receiveEnd(trailers)
        case .reset(let id, let code, _):
            guard let stream = streams.removeValue(forKey: id) else { return closeIfDone() }
            stream.gone(.reset(code))
            streamEnded()
        case .refused(let id, let error, let status): refuse(id, error, status)
        case .writable(let id):
            streams[id]?.becameWritable()
            closeIfDone()
        case .goAway: closeIfDone()
        case .pong:
            guard awaitsPong else { return }
            awaitsPong = false
            leave()
        case .responseHead: break
        }
    }

    private func begin(_ stream: HTTP2ClientStream) {
        hasServed = true
        // Whoever does not take answers makes no progress by asking for more of them.
        if streams.count == 1, !hasBacklog { progressMade = Progress(begun: clock.coarseNow) }
        if let overLimit { return stream.refuse(refusal(for: overLimit)) }
        guard intercepted.renew(by: worker) else {
            stream.refuse(.configurationChanged)
            return leave()
        }
        stream.begin(inside: intercepted, by: worker)
    }

    /// A head that cannot be used.
    private func refuse(_ id: HTTP2StreamID, _ error: HeaderBlockError, _ status: Int) {
        let problem = Problem(unreadable: error, status: status, headerLimit: worker.settings.limits.header)
        worker.exchanges.logRefusal(problem, nil)
        connection.sendAnswer(id, problem, omitsBody: false)
        flush()
    }

    private func fail(_ error: HTTP2ConnectionError) {
        worker.logger.debug(
            "a client's HTTP/2 connection was ended",
            metadata: ["host": "\(intercepted.interception.authority.host)", "reason": "\(error)"]
        )
        close()
    }

    // MARK: What streams ask for

    func forget(_ id: HTTP2StreamID) {
        streams.removeValue(forKey: id)?.releaseWindow()
        streamEnded()
    }

    private func streamEnded() {
        guard streams.isEmpty, !isClosed else { return }
        idleStart = clock.now
        idleDeadline = idleStart + worker.settings.timeouts.idle
        note(idleDeadline)
        if overLimit != nil { return leave() }
        closeIfDone()
    }

    /// Writes what there is, with what else this turn of the event loop brings.
    func flush() {
        guard !isReceiving, !flushIsDue else { return }
        flushIsDue = true
        proxyLoop.turn.flushAtEnd(self)
    }

    func flushNow() {
        flushIsDue = false
        guard let context, isWritable, connection.hasOutput else { return }
        let bytes = connection.takeOutput()
        backlog.note(written: bytes.readableBytes)
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
    }

    // MARK: End

    func configurationChanged() {
        ownedConnections?.closeIdle()
        guard streams.isEmpty, !intercepted.renew(by: worker) else { return }
        leave()
    }

    /// Requests that are on their way already are still served: later ones are refused a round trip later.
    func drain() {
        connection.goAway(refusingLaterStreams: false)
        connection.sendPing(0)
        awaitsPong = true
        flushNow()
    }

    func closeNow() {
        for stream in streams.values { stream.cutOff() }
        context?.close(promise: nil)
    }

    var peer: PeerAddress { PeerAddress(context?.channel.remoteAddress) }

    var clientName: String? { intercepted.interception.client?.name }

    /// Nobody gets so far without a name.
    var unnamedSince: NIODeadline? { nil }

    var isPlaced: Bool { overLimit == nil }

    var keptSince: NIODeadline? { isIdle && hasServed ? idleStart : nil }

    var silentSince: NIODeadline? { isIdle && !hasServed ? idleStart : nil }

    private var isIdle: Bool {
        guard streams.isEmpty, !isClosed, overLimit == nil, connection.isIdle, !connection.hasOutput else {
            return false
        }
        return context?.channel.unsentBytes ?? 0 == 0
    }

    func slowSince(at now: NIODeadline) -> NIODeadline? {
        guard !isClosed, overLimit == nil else { return nil }
        let unsent = (context?.channel.unsentBytes ?? 0) + connection.keptBytes
        let acknowledged = context?.channel.acknowledgedBytes ?? 0
        let lastTaken = backlog.observe(unsent, acknowledged: acknowledged, at: now)
        if !streams.isEmpty {
            guard streams.values.allSatisfy(\.isClientsTurn) else { return nil }
            return max(progressMade.lastMade, lastTaken ?? .distantPast)
        }
        if let lastTaken { return lastTaken }
        guard headDeadline != .distantFuture else { return nil }
        return headDeadline - worker.settings.timeouts.requestHeader
    }

    /// It has been seen with its place since.
    var admission: ConnectionCounter.Place? { nil }

    func unreadSince(at now: NIODeadline) -> NIODeadline? {
        context.flatMap { backlog.observe($0.channel, at: now) }
    }

    func heldMemory(of client: ClientUsage) -> [HeldMemory] {
        streams.values.compactMap { $0.exchange?.heldMemory(of: client) } + heldHead(of: client)
    }

    /// Indicates whether the client was seen to leave answers, and has not taken them since.
    private var hasBacklog: Bool {
        guard backlog.lastTaken != nil else { return false }
        return (context?.channel.unsentBytes ?? 0) + connection.keptBytes > 0
    }

    var mayGiveWay: Bool { context?.channel.mayEndInOrder != false }

    func giveWay() {
        connection.goAway(refusingLaterStreams: true)
        flushNow()
        for stream in streams.values { stream.giveWay() }
        end()
        // Past TLS: a client that has nothing to say for a long time may not answer TLS's closure alert either.
        guard let bare = try? context?.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self) else {
            return
        }
        // What the client still says of its windows must not bring about a reset that overtakes the last response.
        bare.close(mode: .output, promise: nil)
        deadlines.note(clock.now + ClientHandler.lingerTime, on: bare.eventLoop) { bare.close(promise: nil) }
    }

    /// Accepts no more streams, and closes when those that are open have ended.
    private func leave() {
        connection.goAway(refusingLaterStreams: true)
        flushNow()
        closeIfDone()
    }

    /// Closes the connection when it is done; what streams that are over have left may still wait for the client's
    /// windows.
    private func closeIfDone() {
        if connection.isGoingAway, !awaitsPong, streams.isEmpty, connection.isIdle { close() }
    }

    func close() {
        guard let context, !isClosed else { return }
        connection.goAway(refusingLaterStreams: true)
        end()
        // A client that takes nothing has no more time than others have between two steps.
        closeLater(worker.settings.timeouts.idle)
        context.writeLast(connection.takeOutput()) { [self] in linger() }
        if readIsHeld { context.read() }
    }

    /// Everything is out. What the client still sends is taken for a while, so that a reset does not overtake it.
    private func linger() {
        guard let context else { return }
        context.close(mode: .output, promise: nil)
        closeLater(ClientHandler.lingerTime)
    }

    private func closeLater(_ amount: TimeAmount) {
        guard let context else { return }
        deadlines.note(clock.now + amount, on: context.eventLoop) { [self] in self.context?.close(promise: nil) }
    }

    // MARK: Time

    func note(_ deadline: NIODeadline) {
        guard let context, !isClosed else { return }
        deadlines.note(deadline, on: context.eventLoop) { [self] in timerFired() }
    }

    /// Of streams whose exchange is over, what is left may wait for a window that the client never opens.
    private func resetStalled() {
        for id in connection.stalledStreams(seconds: secondsToStall) where streams[id] == nil {
            connection.reset(id, code: .cancel)
        }
        closeIfDone()
    }

    private var secondsToStall: Int { max(1, Int(worker.settings.timeouts.idle.nanoseconds / 1_000_000_000)) }

    /// Returns whether the client, for which bytes of this stream wait, has lately taken some: of the stream, or of any
    /// other if that is what the stream waits for.
    func isTaking(_ id: HTTP2StreamID) -> Bool {
        if connection.pendingBytes(id) > 0, !connection.isStalled(id, seconds: secondsToStall) { return true }
        return hasSentLately(clock.now)
    }

    /// Returns whether the system may have taken bytes for the client within the time of one wait: it tells that only
    /// in large steps, and the first of them cannot be told from none.
    private func hasSentLately(_ now: NIODeadline) -> Bool {
        let unsent = context?.channel.unsentBytes ?? 0
        if unsent != unsentBefore {
            unsentBefore = unsent
            unsentChanged = now
        }
        return unsent > 0 && now - unsentChanged < worker.settings.timeouts.idle
    }

    private func timerFired() {
        deadlines.fired()
        guard !isClosed else { return }
        let now = clock.now
        connection.tick(seconds: seconds.passed(until: now))
        resetStalled()
        for stream in Array(streams.values) where stream.deadline <= now { stream.timeIsOver() }
        guard !isClosed else { return }
        if headDeadline <= now {
            connection.goAway(.enhanceYourCalm, refusingLaterStreams: true)
            return close()
        }
        if headDeadline != .distantFuture { note(headDeadline) }
        if streams.isEmpty {
            if idleDeadline <= now, connection.keptBytes > 0 || hasSentLately(now) {
                idleDeadline = now + worker.settings.timeouts.idle
            }
            flushNow()
            if idleDeadline <= now {
                connection.goAway(refusingLaterStreams: true)
                return close()
            }
            return note(idleDeadline)
        }
        if let next = streams.values.map(\.deadline).min() { note(max(next, now + .milliseconds(1))) }
        flushNow()
    }
}

@available(*, unavailable)
extension HTTP2ClientHandler: Sendable {}
