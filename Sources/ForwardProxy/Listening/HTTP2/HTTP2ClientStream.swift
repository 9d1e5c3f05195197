import HTTP1Codec
import HTTP2Codec
import NIOCore
import Settings

/// One request of a client that speaks HTTP/2, and its response.
///
/// Only carries out what ``HTTP2ClientStreamStateMachine`` says.
final class HTTP2ClientStream: ExchangeClient {
    let id: HTTP2StreamID
    let head: RequestHead
    /// The time at which that had come.
    private let headArrival: NIODeadline
    private let wire: HTTP2Wire
    private let handler: HTTP2ClientHandler
    private(set) var exchange: Exchange?
    /// The part of the request's body that has come and is not taken yet.
    private var waiting = WaitingBytes()
    private var window = BodyWindow()
    private var machine = HTTP2ClientStreamStateMachine()

    init(id: HTTP2StreamID, head: RequestHead, wire: HTTP2Wire, handler: HTTP2ClientHandler) {
        self.id = id
        self.head = head
        self.wire = wire
        headArrival = handler.clock.now
        self.handler = handler
    }

    func serve(_ request: consuming AdmittedRequest, by worker: ProxyWorker) {
        let exchange = Exchange(
            head: head,
            request: request,
            client: self,
            context: worker.exchanges,
            start: headArrival
        )
        self.exchange = exchange
        progress()
        exchange.start()
        // What came with the head.
        pump()
    }

    func refuse(_ problem: Problem) {
        handler.worker.earlyRequests.refused(handler.early(head, at: headArrival), problem)
        answer(problem, to: head, requestIsComplete: head.framing == .none)
    }

    /// The request has turned out to be malformed before it was served.
    func malformed(_ error: HTTP2StreamError) {
        handler.worker.earlyRequests.reset(handler.early(head, at: headArrival), for: error)
    }

    // MARK: Request

    func receive(_ bytes: ByteBuffer) {
        switch machine.bodyArrived(isWanted: waiting.isEmpty && exchange?.wantsRequestBody == true) {
        case .hand:
            if let exchange { hand(bytes, to: exchange) }
            machine.deliveryEnded()
            pump()
        case .keep:
            waiting.append(bytes)
            exchange?.requestWaits(bytes: waiting.count)
        case .drop: wire.connection.consumed(id, bytes: bytes.readableBytes)
        }
    }

    func receiveEnd(_ trailers: FieldSection?) {
        switch machine.requestEnded(trailers: trailers) {
        case .deliver:
            pump()
            if machine.holdsEnd { exchange?.requestWaits(bytes: waitingBytes) }
        case .forget: handler.forget(id)
        case .none: break
        }
    }

    /// Bytes of the request that wait until the exchange takes them.
    private var waitingBytes: Int { waiting.count + machine.trailerBytes }

    /// The stream is no more.
    func gone(_ end: StreamEnd) {
        machine.end()
        waiting = WaitingBytes()
        releaseWindow()
        let exchange = self.exchange
        self.exchange = nil
        exchange?.clientClosed(end)
    }

    func cutOff() {
        exchange?.cutOff()
    }

    func giveWay() {
        exchange?.giveWay()
    }

    /// Indicates whether the client is waited for: to send more of its request, or to take what was sent.
    var isClientsTurn: Bool {
        guard let exchange else { return true }
        return exchange.wantsRequestBody && waiting.isEmpty || !isWritable || exchange.stream?.holdsRequestUp == true
    }

    func becameWritable() {
        exchange?.clientBecameWritable()
    }

    /// Hands over what has come of the request, as far as it is wanted.
    private func pump() {
        guard machine.deliveryBegan() else { return }
        giveBack()
        while let exchange, exchange.wantsRequestBody {
            if let bytes = waiting.take() {
                exchange.requestWaits(bytes: waitingBytes)
                hand(bytes, to: exchange)
            } else if case .hand(let trailers) = machine.takeEnd() {
                exchange.requestWaits(bytes: 0)
                exchange.requestEnd(trailers: trailers)
            } else {
                break
            }
        }
        machine.deliveryEnded()
        exchange?.requestDelivered()
    }

    private func hand(_ bytes: ByteBuffer, to exchange: Exchange) {
        progress()
        window.passedOn(bytes.readableBytes)
        exchange.requestBody(bytes)
        giveBack()
    }

    private func giveBack() {
        guard let exchange, exchange.wantsRequestBody else { return }
        wire.giveBack(&window, of: id, hasCaughtUp: waiting.isEmpty)
    }

    func releaseWindow() {
        wire.release(&window)
    }

    func requestBodyWanted() {
        pump()
        wire.flush()
    }

    // MARK: Response

    var isWritable: Bool { wire.isWritable && wire.connection.pendingBytes(id) == 0 }

    var takesResets: Bool { true }

    func usage(of name: String?) -> ClientUsage { handler.usage(of: name) }

    var address: SocketAddress? { handler.address }

    var ownedConnections: OwnedConnections? {
        get { handler.ownedConnections }
        set { handler.ownedConnections = newValue }
    }

    func writeContinue() {
        wire.connection.sendAnswer(id, status: 100, fields: [:], endsStream: false)
        flush()
    }

    func writeInterim(_ response: ResponseHead) {
        wire.connection.sendResponse(id, response, dropping: ResponseForwarding.hopByHop, endsStream: false)
    }

    func writeHead(
        _ response: ResponseHead,
        to request: RequestHead,
        proxyStatus: String?,
        requestIsComplete: Bool
    ) {
        // By HTTP/2 trailers may follow a body that is empty.
        let isEmpty = response.framing == .length(0) && response.version != .http2
        let endsStream = response.framing == .none || isEmpty
        machine.headWritten(endsStream: endsStream)
        let scratch = handler.proxyLoop.scratch
        ResponseForwarding.writeFields(response, proxyStatus: proxyStatus, fields: &scratch.fields)
        if let exchange, exchange.tellsHeads {
            let dropped = ResponseForwarding.hopByHop
            exchange.tellHead(response, dropping: dropped, appending: scratch.fields)
        }
        wire.connection.sendResponse(
            id,
            response,
            dropping: ResponseForwarding.hopByHop,
            appending: scratch.fields,
            endsStream: endsStream
        )
    }

    func writeBody(_ bytes: ByteBuffer) {
        run(machine.bodyWritten(bytes))
    }

    func writeEnd(trailers: FieldSection?) {
        let trailers = trailers.flatMap { $0.isEmpty ? nil : $0 }
        switch machine.endWritten(hasTrailers: trailers != nil) {
        case .endStream(let heldPiece): wire.connection.sendData(id, heldPiece ?? ByteBuffer(), endsStream: true)
        case .sendTrailers(let heldPiece):
            if let heldPiece { wire.connection.sendData(id, heldPiece, endsStream: false) }
            if let trailers { wire.connection.sendTrailers(id, trailers) }
        case .none: break
        }
    }

    func writeGathered() {
        run(machine.pieceWanted())
    }

    private func run(_ action: HTTP2ClientStreamStateMachine.PieceAction) {
        switch action {
        case .send(let piece): wire.connection.sendData(id, piece, endsStream: false)
        case .none: break
        }
    }

    /// A head that is in the output has left, as far as a stream can tell.
    func withdrawHead() -> Bool { false }

    func flush() {
        wire.flush()
    }

    // MARK: Course

    func awaitResponse(for time: TimeAmount) {
        start(.response, for: time)
    }

    func progress() {
        start(.transfer, for: handler.idleTime)
    }

    func awaitRequest(for time: TimeAmount) {
        start(.transfer, for: time)
    }

    func exchangeFinished() {
        exchange = nil
        forget()
    }

    func exchangeFinishedUnread() {
        exchange = nil
        writeEnd(trailers: nil)
        flush()
        responseWritten(requestIsComplete: false)
    }

    /// Takes the rest of a request for a while after its response. A reset with NO_ERROR would do (RFC 9113, section
    /// 8.1), but there are clients that take it for a failure and lose the response.
    private func responseWritten(requestIsComplete: Bool) {
        let deadline = handler.clock.coarseNow + OrderlyClose.lingerTime
        switch machine.responseWritten(requestIsComplete: requestIsComplete, dropUntil: deadline) {
        case .forget: handler.forget(id)
        case .dropRequest:
            wire.giveBack(&window, of: id, hasCaughtUp: false)
            while let bytes = waiting.take() { wire.connection.consumed(id, bytes: bytes.readableBytes) }
            handler.note(deadline)
        case .none: break
        }
    }

    func abort(_ reason: UpstreamFailure?) {
        exchange = nil
        guard machine.isOpen else { return }
        wire.connection.reset(id, code: reason?.resetCode ?? .internalError)
        flush()
        forget()
    }

    private func forget() {
        machine.end()
        handler.forget(id)
    }

    func switchProtocols(_ response: ResponseHead, of exchange: Exchange, on stream: any UpstreamStream) {
        // HTTP/2 has no 101 (RFC 9113, section 8.6), and no request of a client asked for one.
        stream.close(.cancelled)
        abort(nil)
    }

    func answer(_ problem: Problem, to head: RequestHead?, requestIsComplete: Bool) {
        exchange = nil
        guard machine.isOpen else { return }
        wire.connection.sendAnswer(id, problem, omitsBody: head?.method == .head)
        flush()
        responseWritten(requestIsComplete: requestIsComplete)
    }

    // MARK: Time

    var deadline: NIODeadline { machine.deadline }

    private func start(_ wait: HTTP2ClientStreamStateMachine.Wait, for time: TimeAmount) {
        let deadline = handler.clock.coarseNow + time
        if machine.start(wait, until: deadline) { handler.note(deadline) }
    }

    /// Indicates whether the client, for which bytes wait, has lately taken some.
    private var isTaking: Bool { wire.isTaking(id, at: handler.clock.now, within: handler.idleTime) }

    func timeIsOver() {
        switch machine.timeIsOver(isTaking: !isWritable && isTaking) {
        case .goOn: progress()
        case .stalled: exchange?.stalled()
        case .responseTimedOut: exchange?.responseTimedOut()
        case .stopReceiving:
            wire.connection.stopReceiving(id)
            flush()
            handler.forget(id)
        case .none: break
        }
    }
}

@available(*, unavailable)
extension HTTP2ClientStream: Sendable {}
