import Bytes
import HTTP1Codec
import HTTP2Codec
import NIOCore
import Settings

/// One request of a client that speaks HTTP/2, and its response.
final class HTTP2ClientStream: ExchangeClient {
    private enum Wait { case transfer, response, restOfRequest }

    let id: HTTP2StreamID
    private let head: RequestHead
    private let handler: HTTP2ClientHandler
    private(set) var exchange: Exchange?
    /// The part of the request's body that has come and is not taken yet.
    private var waiting = WaitingBytes()
    private var window = BodyWindow()
    /// The trailer section of a request that has come to its end, if the end is not taken yet.
    private var trailersAtEnd: FieldSection??
    private var isPumping = false
    private var requestIsRead = false
    private var responseHasEnded = false
    /// The last piece of the body: held back so that it can end the stream with it.
    private var lastPiece: ByteBuffer?
    private var wait = Wait.transfer
    private(set) var deadline: NIODeadline = .distantFuture
    private var isGone = false
    /// Indicates whether the response is out, and what still comes of the request is dropped.
    private var isDropping = false

    init(id: HTTP2StreamID, head: RequestHead, handler: HTTP2ClientHandler) {
        self.id = id
        self.head = head
        self.handler = handler
    }

    /// Serves the request, unless it has to be refused.
    func begin(inside intercepted: InterceptedConnect, by worker: ProxyWorker) {
        if head.scheme != .https { return refuse(.schemeDiffersFromConnection) }
        if let problem = RequestCourse.objection(to: head) { return refuse(problem) }
        switch RequestCourse(of: head, inside: intercepted.interception, by: worker) {
        case .refuse(let problem): refuse(problem)
        case .exchange(let route):
            do throws(Problem) {
                start(route, intercepted.connections, try worker.admit(route, from: handler), by: worker)
            } catch {
                refuse(error)
            }
        }
    }

    private func start(
        _ route: ExchangeRoute,
        _ connections: TargetPool,
        _ admission: RequestAdmission?,
        by worker: ProxyWorker
    ) {
        let exchange = Exchange(
            head: head,
            route: route,
            connections: connections,
            admission: admission,
            client: self,
            context: worker.exchanges
        )
        self.exchange = exchange
        progress()
        exchange.start()
        // What came with the head.
        pump()
    }

    func refuse(_ problem: Problem) {
        handler.worker.exchanges.logRefusal(problem, head)
        answer(problem, to: head, requestIsComplete: head.framing == .none)
    }

    // MARK: Request

    func receive(_ bytes: ByteBuffer) {
        guard !isDropping else {
            handler.connection.consumed(id, bytes: bytes.readableBytes)
            return
        }
        guard waiting.isEmpty, !isPumping, let exchange, exchange.wantsRequestBody else {
            waiting.append(bytes)
            exchange?.requestWaits(bytes: waiting.count)
            return
        }
        isPumping = true
        hand(bytes, to: exchange)
        isPumping = false
        pump()
    }

    func receiveEnd(_ trailers: FieldSection?) {
        if isDropping { return handler.forget(id) }
        trailersAtEnd = .some(trailers)
        pump()
        if trailersAtEnd != nil { exchange?.requestWaits(bytes: waitingBytes) }
    }

    /// Bytes of the request that wait until the exchange takes them.
    private var waitingBytes: Int { waiting.count + (trailersAtEnd??.bytes.readableBytes ?? 0) }

    /// The stream is no more.
    func gone(_ end: StreamEnd) {
        isGone = true
        waiting = WaitingBytes()
        trailersAtEnd = nil
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
        guard !isPumping else { return }
        isPumping = true
        giveBack()
        while let exchange, exchange.wantsRequestBody {
            if let bytes = waiting.take() {
                exchange.requestWaits(bytes: waitingBytes)
                hand(bytes, to: exchange)
            } else if let trailers = trailersAtEnd {
                trailersAtEnd = nil
                exchange.requestWaits(bytes: 0)
                requestIsRead = true
                exchange.requestEnd(trailers: trailers)
            } else {
                break
            }
        }
        isPumping = false
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
        window.taken(id, on: &handler.connection, hasCaughtUp: waiting.isEmpty, spare: &handler.spareWindow)
    }

    func releaseWindow() {
        window.release(to: &handler.spareWindow)
    }

    func requestBodyWanted() {
        pump()
        handler.flush()
    }

    // MARK: Response

    var isWritable: Bool { handler.isWritable && handler.connection.pendingBytes(id) == 0 }

    var takesResets: Bool { true }

    func usage(of name: String?) -> ClientUsage { handler.usage(of: name) }

    var ownedConnections: OwnedConnections? {
        get { handler.ownedConnections }
        set { handler.ownedConnections = newValue }
    }

    func writeContinue() {
        handler.connection.sendAnswer(id, status: 100, fields: ByteBuffer(), endsStream: false)
        flush()
    }

    func writeInterim(_ response: ResponseHead) {
        handler.connection.sendResponse(id, response, dropping: ResponseForwarding.hopByHop, endsStream: false)
    }

    func writeHead(
        _ response: ResponseHead,
        to request: RequestHead,
        proxyStatus: String?,
        requestIsComplete: Bool
    ) {
        // By HTTP/2 trailers may follow a body that is empty.
        let isEmpty = response.framing == .length(0) && response.version != .http2
        responseHasEnded = response.framing == .none || isEmpty
        let scratch = handler.proxyLoop.scratch
        ResponseForwarding.writeFields(response, proxyStatus: proxyStatus, fields: &scratch.fields)
        handler.connection.sendResponse(
            id,
            response,
            dropping: ResponseForwarding.hopByHop,
            appending: scratch.fields,
            endsStream: responseHasEnded
        )
    }

    func writeBody(_ bytes: ByteBuffer) {
        if let lastPiece { handler.connection.sendData(id, lastPiece, endsStream: false) }
        lastPiece = bytes
    }

    func writeEnd(trailers: FieldSection?) {
        guard !responseHasEnded else { return }
        responseHasEnded = true
        if let trailers, !trailers.isEmpty {
            writeGathered()
            handler.connection.sendTrailers(id, trailers)
        } else {
            handler.connection.sendData(id, lastPiece ?? ByteBuffer(), endsStream: true)
            lastPiece = nil
        }
    }

    func writeGathered() {
        guard let bytes = lastPiece else { return }
        lastPiece = nil
        handler.connection.sendData(id, bytes, endsStream: false)
    }

    /// A head that is in the output has left, as far as a stream can tell.
    func withdrawHead() -> Bool { false }

    func flush() {
        handler.flush()
    }

    // MARK: Course

    func awaitResponse(for time: TimeAmount) {
        start(.response, time)
    }

    func progress() {
        start(.transfer, handler.worker.settings.timeouts.idle)
    }

    func awaitRequest(for time: TimeAmount) {
        start(.transfer, time)
    }

    func exchangeFinished() {
        exchange = nil
        handler.forget(id)
    }

    func exchangeFinishedUnread() {
        exchange = nil
        writeEnd(trailers: nil)
        flush()
        dropRequest()
    }

    /// Takes the rest of a request for a while after its response. A reset with NO_ERROR would do (RFC 9113, section
    /// 8.1), but there are clients that take it for a failure and lose the response.
    private func dropRequest() {
        if requestIsRead || trailersAtEnd != nil { return handler.forget(id) }
        isDropping = true
        window.taken(id, on: &handler.connection, hasCaughtUp: false, spare: &handler.spareWindow)
        while let bytes = waiting.take() { handler.connection.consumed(id, bytes: bytes.readableBytes) }
        start(.restOfRequest, ClientHandler.lingerTime)
    }

    func abort(_ reason: UpstreamFailure?) {
        exchange = nil
        guard !isGone else { return }
        handler.connection.reset(id, code: reason?.resetCode ?? .internalError)
        flush()
        handler.forget(id)
    }

    func switchProtocols(_ response: ResponseHead, of exchange: Exchange, on stream: any UpstreamStream) {
        // HTTP/2 has no 101 (RFC 9113, section 8.6), and no request of a client asked for one.
        stream.close(.cancelled)
        abort(nil)
    }

    func answer(_ problem: Problem, to head: RequestHead?, requestIsComplete: Bool) {
        exchange = nil
        guard !isGone else { return }
        handler.connection.sendAnswer(id, problem, omitsBody: head?.method == .head)
        flush()
        if requestIsComplete { handler.forget(id) } else { dropRequest() }
    }

    // MARK: Time

    private func start(_ wait: Wait, _ amount: TimeAmount) {
        self.wait = wait
        deadline = handler.clock.coarseNow + amount
        handler.note(deadline)
    }

    func timeIsOver() {
        deadline = .distantFuture
        switch wait {
        case .transfer where !isWritable && handler.isTaking(id): progress()
        case .transfer: exchange?.stalled()
        case .response: exchange?.responseTimedOut()
        case .restOfRequest:
            handler.connection.stopReceiving(id)
            flush()
            handler.forget(id)
        }
    }
}

@available(*, unavailable)
extension HTTP2ClientStream: Sendable {}
