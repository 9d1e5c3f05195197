import HTTP1Codec
import HTTP2Codec
import NIOCore
import NIOSSL
import Settings

/// The last handler of an upstream channel whose server chose HTTP/2: carries many requests at a time, each on an
/// ``HTTP2UpstreamStream``. When it takes requests, and when it ends, ``HTTP2UpstreamStateMachine`` says; when it is
/// flushed and read, ``HTTP2Output``.
final class HTTP2UpstreamHandler: ChannelDuplexHandler, FlushedAtTurnEnd {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Holds a connection that speaks HTTP/2 for as long as it takes requests. Called on its event loop.
    protocol Keeper: AnyObject {
        /// Indicates whether there are so many connections that one need not be kept for long when it is idle.
        var hasSurplusOfShared: Bool { get }
        /// Reports that there may be more places than before.
        func roomCame()
        /// No further request can be leased a place. Called once.
        ///
        /// - Parameter failure: The reason; nil when the connection goes on for the requests that it carries.
        func left(_ connection: HTTP2UpstreamHandler, because failure: UpstreamFailure?)
    }

    private var connection: HTTP2Connection
    private var streams: [HTTP2StreamID: HTTP2UpstreamStream] = [:]
    private var machine: HTTP2UpstreamStateMachine
    private var output = HTTP2Output()
    private var holders: PlaceHolders
    /// The streams to which the bytes of this read brought a part.
    private var touched: [HTTP2UpstreamStream] = []
    private var context: ChannelHandlerContext?
    private let clock: any ProxyClock
    private let turn: EventLoopTurn
    private var deadlines: StreamDeadlines
    private var seconds: SecondsCounter
    /// The time at which something came from the server the last time.
    private(set) var lastReceived: NIODeadline
    /// The place where the certificate verification has left what the server presented.
    let verdict: CertificateVerdict?
    private(set) var connectTimes: ConnectTimes?
    /// The keeper that gives its places to requests; nil from when it takes no further ones.
    private weak var keeper: (any Keeper)?
    /// The rest of ``BodyWindow/spare``.
    private var spareWindow = BodyWindow.spare

    init(_ terms: UpstreamTerms, verdict: CertificateVerdict?, turn: EventLoopTurn, claim: ConnectionClaim) {
        let (limits, clock) = (terms.messageLimits, terms.clock)
        connection = HTTP2Connection(role: .client, limits: HTTP2Limits(for: limits), messageLimits: limits)
        machine = HTTP2UpstreamStateMachine(madeAt: clock.now, timeouts: terms.timeouts)
        self.clock = clock
        deadlines = StreamDeadlines(clock: clock)
        self.turn = turn
        self.verdict = verdict
        holders = PlaceHolders(claim: claim)
        lastReceived = clock.coarseNow
        seconds = SecondsCounter(since: lastReceived)
    }

    var channel: (any Channel)? { context?.channel }
    /// The claim that it is counted by.
    var claim: ConnectionClaim { holders.claim }

    /// Keeps the time that making it took.
    func noteConnectTimes(_ times: ConnectTimes) { connectTimes = times }

    /// Sets the keeper that gives its places to requests; nil: nobody does.
    func setKeeper(_ keeper: (any Keeper)?) { self.keeper = keeper }

    // MARK: Places

    /// The number of further requests that it can carry now.
    ///
    /// Until the server has said how many it takes at a time, one: it refuses those that are too many.
    var freePlaces: Int {
        guard machine.takesRequests, context != nil else { return 0 }
        let openable = connection.openableStreams - machine.reserved
        return connection.hasPeerSettings ? openable : min(openable, 1 - machine.requests)
    }

    /// Indicates whether one of them may have a body: none should while those that it carries hold much of its window,
    /// which their server may not read.
    var hasRoomForBodies: Bool { connection.hasRoomForBodies }

    /// The bytes of bodies that can be sent now, of which each of the requests that are about to come may want as many as
    /// a stream's window has by default.
    var freeWindow: Int { connection.freeWindow - machine.reserved * 65_535 }

    /// The time since which it has carried no request; nil while it does, or is about to end.
    var idleSince: NIODeadline? { machine.idleSince }

    var isClosed: Bool { machine.isClosed }

    var isAwaitingSettings: Bool { !isClosed && !connection.hasPeerSettings }

    /// Returns whether a client's request may be carried beside others', or instead of them.
    ///
    /// - Parameter client: The client of the request; nil: the proxy itself.
    func admits(_ client: ClientUsage?, sendsBody: Bool) -> Bool {
        holders.admits(client, sendsBody: sendsBody, canLend: hasPlacesToLend)
    }

    /// Indicates whether a client that uses as many connections as it may can have a place all the same: half of them
    /// are left to those who may have no other connection.
    private var hasPlacesToLend: Bool {
        let free = freePlaces
        return free > max(1, (free + machine.requests) / 2)
    }

    /// Returns whether a client that can have no other connection may have one of ``freePlaces``.
    func mayShare(_ client: ClientUsage?) -> Bool {
        client.map { holders.mayCount($0) || hasPlacesToLend } ?? true
    }

    /// Ceases to count a connection that others have filled among those that a client uses: it may have another one.
    ///
    /// - Returns: False where it has not counted, or there is room.
    func uncountIfFull(for client: ClientUsage) -> Bool {
        freePlaces == 0 && !holders.isMostly(client) && holders.uncount(client)
    }

    /// Returns whether bodies of a client hold much of the window, or may do.
    func isFull(by client: ClientUsage) -> Bool { !hasRoomForBodies && holders.sendsBodies(client) }

    /// - Parameter limit: The number of upstream connections that a client may have; nil: only what all share bounds it.
    func limitConnections(perClient limit: Int?) { holders.setLimit(limit) }

    /// Opens a stream; called only while there are ``freePlaces``.
    ///
    /// - Parameter client: The client of the request; nil: the proxy itself.
    func leasePlace(for client: ClientUsage?, sendsBody: Bool) -> HTTP2UpstreamStream {
        let isReused = machine.placeLeased()
        connection.expectedStreams = machine.reserved
        holders.add(client, sendsBody: sendsBody)
        return HTTP2UpstreamStream(handler: self, client: client, sendsBody: sendsBody, isReused: isReused)
    }

    /// - Returns: Nil when the connection has ended in the meantime.
    func open(_ stream: HTTP2UpstreamStream) -> HTTP2StreamID? {
        machine.placeLeft()
        connection.expectedStreams = machine.reserved
        guard !isClosed, let id = connection.openStream() else {
            holders.remove(stream.client, sendsBody: stream.sendsBody)
            settle()
            return nil
        }
        machine.streamOpened()
        streams[id] = stream
        return id
    }

    func giveBackPlace(of stream: HTTP2UpstreamStream) {
        machine.placeLeft()
        connection.expectedStreams = machine.reserved
        holders.remove(stream.client, sendsBody: stream.sendsBody)
        keeper?.roomCame()
        settle()
    }

    func forget(_ id: HTTP2StreamID) {
        _ = remove(id)
        keeper?.roomCame()
        settle()
    }

    private func remove(_ id: HTTP2StreamID) -> HTTP2UpstreamStream? {
        guard let stream = streams.removeValue(forKey: id) else { return nil }
        machine.streamEnded()
        holders.remove(stream.client, sendsBody: stream.sendsBody)
        return stream
    }

    /// Sees to what becomes of it where it carries no request any more.
    private func settle() {
        guard machine.isUnused else { return }
        switch machine.settled(at: clock.now, isUnneeded: isUnneeded) {
        case .idle(let deadline): note(deadline)
        case .end:
            connection.goAway(refusingLaterStreams: true)
            flushNow()
            close(.closed)
        case .none: break
        }
    }

    /// One that the server gives no places is of no use to anybody.
    private var isUnneeded: Bool {
        keeper?.hasSurplusOfShared == true || connection.hasPeerSettings && connection.openableStreams == 0
    }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        _ = output.writabilityChanged(isWritable: context.channel.isWritable)
        noteNextDeadline()
        settle()
        flushNow()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end(.closed)
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosed else { return }
        lastReceived = clock.coarseNow
        connection.tick(seconds: seconds.passed(until: lastReceived))
        connection.receive(unwrapInboundIn(data))
        output.readBegan()
        react()
        for stream in touched { stream.delivered() }
        touched.removeAll(keepingCapacity: true)
        output.readEnded()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        flushNow()
    }

    /// A server that does not take what it is sent gets no more answers, and so is not read either.
    func read(context: ChannelHandlerContext) {
        if output.readRequested(isFull: connection.waitingBytes >= HTTP2Output.waitingLimit) { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let releasesRead = output.writabilityChanged(isWritable: context.channel.isWritable)
        for stream in Array(streams.values) { stream.writabilityChanged() }
        flushNow()
        if releasesRead { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { return close(.closed) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case NIOSSLError.uncleanShutdown = error { return }
        close(.established(error))
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.closed)
        context.fireChannelInactive()
    }

    // MARK: Events

    /// Takes whatever the connection has to say; to be called after each call that may make it say something.
    private func react() {
        do throws(HTTP2ConnectionError) {
            while !isClosed, let event = try connection.next() { take(event) }
            if connection.isGoingAway { finish() } else { keeper?.roomCame() }
        } catch {
            // A write that fails at once ends the channel, which would be told as the cause.
            end(.malformedConnection(error))
            context?.writeAndFlush(wrapOutboundOut(connection.takeOutput()), promise: nil)
            close(.malformedConnection(error))
        }
    }

    private func take(_ event: HTTP2Event) {
        switch event {
        case .responseHead(let id, let head, _): hand(.head(head), to: id)
        case .data(let id, let bytes):
            if streams[id] == nil { connection.consumed(id, bytes: bytes.readableBytes) }
            hand(.data(bytes), to: id)
        case .end(let id, let trailers): hand(.end(trailers: trailers), to: id)
        case .reset(let id, let code, let error):
            remove(id)?.gone(machine.failure(of: code, error))
            settle()
        case .writable(let id): streams[id]?.writabilityChanged()
        case .goAway(_, let code, _): machine.goAwayReceived(code)
        case .pong, .requestHead, .refused: break
        }
    }

    private func hand(_ part: HTTP2UpstreamStream.Output, to id: HTTP2StreamID) {
        guard let stream = streams[id] else { return }
        if touched.last !== stream { touched.append(stream) }
        stream.receive(part)
    }

    // MARK: What streams ask for

    var isWritable: Bool { output.isWritable }
    /// The time of the turn of the event loop.
    var now: NIODeadline { clock.coarseNow }

    /// The number of bytes of a stream that were to be sent and have not been.
    func pendingBytes(_ id: HTTP2StreamID) -> Int { connection.pendingBytes(id) }

    func send(_ head: RequestHead, as request: OutgoingRequest, fields: inout AppendedFields, on id: HTTP2StreamID) {
        request.send(head, fields: &fields, on: id, of: &connection)
    }

    func send(_ bytes: ByteBuffer, on id: HTTP2StreamID, endsStream: Bool = false) {
        connection.sendData(id, bytes, endsStream: endsStream)
    }

    func send(trailers: FieldSection, on id: HTTP2StreamID) { connection.sendTrailers(id, trailers) }

    func reset(_ id: HTTP2StreamID, _ code: HTTP2ErrorCode) {
        connection.reset(id, code: code)
        flush()
    }

    /// Gives back what was passed on of a stream's response.
    func giveBack(_ window: inout BodyWindow, of id: HTTP2StreamID, hasCaughtUp: Bool) {
        window.taken(id, on: &connection, hasCaughtUp: hasCaughtUp, spare: &spareWindow)
    }

    /// Gives the spare bytes of a stream's window back. Called when nothing is held any more.
    func release(_ window: inout BodyWindow) { window.release(to: &spareWindow) }

    /// Writes what there is, with what else this turn of the event loop brings.
    func flush() {
        if output.flushRequested() { turn.flushAtEnd(self) }
    }

    func flushNow() {
        guard output.flushBegan(), let context, connection.hasOutput else { return }
        context.writeAndFlush(wrapOutboundOut(connection.takeOutput()), promise: nil)
    }

    // MARK: End

    /// Carries no further requests, and closes when those that it carries have ended.
    ///
    /// The server is told at the end: nothing of it depends on that, and some lose what is under way.
    func finish() {
        machine.finish()
        leave(because: nil)
        settle()
    }

    /// - Parameter failure: The reason; nil when it goes on for the requests that it carries.
    private func leave(because failure: UpstreamFailure?) {
        holders.uncountAll()
        keeper.take()?.left(self, because: failure)
    }

    private func close(_ failure: UpstreamFailure) {
        let context = self.context
        end(failure)
        claim.release()
        context?.close(promise: nil)
    }

    private func end(_ failure: UpstreamFailure) {
        switch machine.ended() {
        case .end:
            deadlines.cancel()
            leave(because: failure)
            let open = streams.values
            streams.removeAll()
            for stream in open { stream.gone(failure) }
        case .none: break
        }
    }

    // MARK: Time

    private func note(_ deadline: NIODeadline) {
        guard let context, !isClosed else { return }
        deadlines.note(deadline, on: context.eventLoop) { [self] in timerFired() }
    }

    private func noteNextDeadline() {
        if let next = machine.nextDeadline(hasSettings: connection.hasPeerSettings) { note(next) }
    }

    private func timerFired() {
        deadlines.fired()
        guard !isClosed else { return }
        let now = clock.now
        connection.tick(seconds: seconds.passed(until: now))
        switch machine.timedOut(at: now, hasSettings: connection.hasPeerSettings, isUnneeded: isUnneeded) {
        case .close: return close(.closed)
        case .failSettings: return close(.settingsTimeout)
        case .finish: finish()
        case .none: break
        }
        noteNextDeadline()
    }
}

@available(*, unavailable)
extension HTTP2UpstreamHandler: Sendable {}
