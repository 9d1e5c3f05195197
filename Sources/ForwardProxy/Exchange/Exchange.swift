import HTTP1Codec
import NIOCore
import OAuthSigning
import Routing
import Settings

/// One request and its response, between a client's connection and an upstream's. Both are on one event loop.
///
/// Only carries out what ``ExchangeStateMachine`` says.
final class Exchange {
    /// The time for which a refusal is held back while it is awaited.
    static let inspectionTime = TimeAmount.seconds(5)

    let head: RequestHead
    private let request: AdmittedRequest
    /// The client, which lets go of the exchange when that is over.
    let client: any ExchangeClient
    let context: ExchangeContext
    /// Indicates whether the client's own credentials go on, and nothing is signed.
    let keepsAuthorization: Bool
    var machine: ExchangeStateMachine
    private var upstream = ExchangeUpstream.none
    private var sendProgress = SendProgress()
    private(set) var held: HeldRequest
    private(set) var authorization = RequestAuthorization()
    /// The inspection of a response that may refuse the signature or the token.
    var inspection = RefusalInspection()
    var record: ExchangeRecord

    /// - Parameter start: The time at which the head had come.
    init(
        head: consuming RequestHead,
        request: consuming AdmittedRequest,
        client: any ExchangeClient,
        context: ExchangeContext,
        start: NIODeadline
    ) {
        machine = ExchangeStateMachine(
            isIdempotent: head.method.isIdempotent,
            takesInterimResponses: head.version != .http10
        )
        held = HeldRequest(head: head)
        keepsAuthorization = request.route.keepsAuthorization(of: head, context.apis)
        self.head = head
        self.request = request
        self.client = client
        self.context = context
        record = ExchangeRecord(start: start)
        context.exchangeBegan()
    }

    var route: RequestRoute { request.route }

    var connections: TargetPool { request.connections }

    /// The counters that count it; nil: it is not counted.
    var admission: RequestAdmission? { request.admission }

    /// Indicates whether nothing more is to happen.
    var isOver: Bool { machine.isOver }

    var stream: (any UpstreamStream)? { upstream.stream }

    // MARK: Request

    /// Indicates whether the next event of the client's request is wanted now.
    var wantsRequestBody: Bool { machine.wantsRequestBody && (stream?.isWritable ?? true) }

    /// Indicates whether nothing more is to come of the client's request.
    var requestIsWhole: Bool { machine.requestIsComplete || head.framing == .none }

    /// Indicates whether the request is on its way, and more of it to come.
    var isSending: Bool { stream != nil && !requestIsWhole }

    /// The protocols that the client offers to switch to; nil: the connection stays HTTP.
    var offer: ByteBuffer? { head.connection.upgrade ? UpgradeOffer.protocols(in: head) : nil }

    func start() {
        tellBegun()
        guard countHeld() else { return failForMemory() }
        let body: ExchangeStateMachine.BodyHandling
        if let account = route.accountReference, context.tokens.needsBody(of: head, for: account), !keepsAuthorization {
            let limit = context.apis[account.api].maxBody
            if case .length(let length) = head.framing, length > UInt64(limit) {
                return fail(.bodyTooLarge(limit: limit))
            }
            body = .collect(limit: limit)
        } else {
            body = .stream
        }
        switch machine.start(body: body, expectsContinue: head.expectsContinue && head.framing != .none) {
        case .collect(let sendContinue):
            held.beginCollecting(from: context.clock.coarseNow)
            if sendContinue { client.writeContinue() }
        case .prepare: prepare()
        }
    }

    func requestBody(_ bytes: ByteBuffer) {
        record.requestBytes += bytes.readableBytes
        context.meter.moved(requestBytes: bytes.readableBytes)
        switch machine.requestBody(bytes: bytes.readableBytes) {
        case .keep:
            held.collect(bytes, at: context.clock.coarseNow)
            if !countHeld() { failForMemory() }
        case .refuseTooLarge(let limit): fail(.bodyTooLarge(limit: limit))
        case .forward:
            if machine.responseHasBegun { held.dropReplay() } else { held.keepForReplay(bytes, for: memory) }
            stream?.writeBody(bytes)
        case .discard: break
        }
    }

    func requestEnd(trailers: FieldSection?) {
        held.keep(trailers.flatMap { route.forwarded($0, context.apis) })
        switch machine.requestEnded() {
        case .prepare:
            guard countHeld() else { return failForMemory() }
            client.progress()
            prepare()
        case .forward:
            writeRequestEnd()
            held.keepTrailers(for: memory)
            awaitResponse()
        case .forwardAndFinish(let reuse):
            writeRequestEnd()
            stream?.flush()
            finish(reuseUpstream: reuse)
        case .none: break
        }
    }

    /// All that was at hand of the client's request has been handed over.
    func requestDelivered() {
        stream?.flush()
        guard machine.isCollecting else { return }
        let left = held.body.timeLeft(at: context.clock.coarseNow)
        guard left > .zero else { return fail(.bodyTooSlow) }
        client.awaitRequest(for: min(left, context.settings.timeouts.idle))
    }

    // MARK: Memory

    /// The share of the request's client in the memory that is held for requests.
    private var memory: SharedBudget.Share { client.usage(of: route.clientName).memory }

    /// Counts what the request holds now.
    ///
    /// - Returns: False when the client may not hold as much.
    private func countHeld() -> Bool { held.count(for: memory) }

    private func failForMemory() {
        failForMemory(asking: held.uncountedBytes)
    }

    private func failForMemory(asking more: Int?) {
        fail(context.usages.memoryRefused(to: client.usage(of: route.clientName), asking: more))
    }

    /// - Returns: Nil where it has nothing that it could give back.
    func heldMemory(of client: ClientUsage) -> HeldMemory? {
        guard held.isCounted(for: client) else { return nil }
        // A server may have acted upon a request that is whole.
        let mayFail = !machine.requestIsComplete || stream == nil || head.method.isIdempotent
        let part = held.dispensablePart(
            isCollecting: machine.isCollecting,
            isLeased: stream != nil,
            isSent: isSent,
            mayFail: mayFail && !machine.finalResponseHasBegun
        )
        return part.map { part in HeldMemory(bytes: held.countedBytes) { [self] in giveBack(part) } }
    }

    private func giveBack(_ part: HeldRequest.DispensablePart) {
        switch part {
        case .whole: failForMemory(asking: nil)
        case .replay: held.dropReplay()
        case .collected: held.dropCollected()
        }
    }

    /// Indicates whether nothing of it waits any more to be sent.
    private var isSent: Bool { stream.map { machine.requestIsComplete && $0.unsentBytes == 0 } ?? false }

    /// The client's connection keeps this much of the body until it is wanted.
    func requestWaits(bytes: Int) {
        if held.bodyWaits(bytes: bytes), !countHeld() { failForMemory() }
    }

    /// The request is not sent again.
    func dropReplay() {
        held.dropReplay()
    }

    // MARK: Credentials, a connection

    private func prepare() {
        guard let account = route.accountReference, !keepsAuthorization else { return connect(allowReused: true) }
        if let ready = context.tokens.cached(account) {
            authorization.obtain(ready, .atHand)
            return connect(allowReused: true)
        }
        obtainToken { wait, completion in
            context.tokens.authorization(for: account, wait: wait) { completion($0) }
        } whenRefused: { [weak self] problem in
            if let problem { self?.fail(problem) }
        }
    }

    /// Renews the token that the provider has refused, and sends the request again.
    ///
    /// - Parameter isRefused: Called when no other token can be had: with the reason, or nil when it is too early.
    func renew(
        _ refused: ReadyAuthorization,
        of account: AccountReference,
        whenRefused isRefused: @escaping (Problem?) -> Void
    ) {
        obtainToken(
            { wait, completion in
                context.tokens.renew(refused, of: account, wait: wait, completion: completion)
            },
            whenRefused: isRefused
        )
    }

    /// Sends the request with the token that it asks for, as soon as that has come.
    ///
    /// - Parameters:
    ///   - ask: Asks for the token, which may come at once.
    ///   - isRefused: Called when none can be had: with the reason, or nil when it is too early.
    private func obtainToken(
        _ ask: (TokenWait, _ completion: @escaping (Result<ReadyAuthorization, Problem>?) -> Void) -> Void,
        whenRefused isRefused: @escaping (Problem?) -> Void
    ) {
        let begin = context.clock.now
        let waiter = TokenClient(usage: client.usage(of: route.clientName), address: client.address)
        let wait = TokenWait(of: waiter, for: context.settings.timeouts.token - (record.tokenWait ?? .zero))
        upstream = .awaitingToken(wait)
        var isAtOnce = true
        // The client's connection keeps the exchange: who gives up leaves no body waiting.
        ask(wait) { [weak self] result in
            guard let self, !isOver else { return }
            upstream = .none
            if !isAtOnce { waitedForToken(since: begin) }
            switch result {
            case .success(let ready):
                authorization.obtain(ready, RequestAuthorization.Arrival(after: isAtOnce ? nil : wait))
                sendAgain()
            case .failure(let problem): isRefused(problem)
            case nil: isRefused(nil)
            }
        }
        isAtOnce = false
    }

    /// Sends the request again, now that the cause of its refusal is removed.
    func sendAgain() {
        inspection.drop()
        connect(allowReused: true)
    }

    /// Sets what it holds of its upstream, or waits for.
    func hold(_ upstream: ExchangeUpstream) {
        self.upstream = upstream
    }

    // MARK: Sending

    func send(on stream: any UpstreamStream) {
        do throws(SigningError) {
            let signed = try authorization.authorize(
                head,
                on: route,
                body: held.body.collected,
                by: context.signatures
            )
            stream.lease(to: self)
            upstream = .leased(stream)
            noteSending(on: stream)
            if authenticatesConnection { ownConnection() }
            sendProgress.reset()
            let complete = machine.upstreamReady(reused: stream.isReused)
            writeHead(signed, isComplete: complete, on: stream)
            if complete {
                stream.flush()
                awaitResponse()
            } else {
                client.requestBodyWanted()
            }
        } catch {
            stream.release(reusable: true)
            fail(.unsignable(error))
        }
    }

    // MARK: Client

    func clientBecameWritable() {
        stream?.resumeReading()
        client.flush()
    }

    /// Nothing has moved for `timeouts.idle`.
    func stalled() {
        switch machine.stoodStill(requestIsWanted: wantsRequestBody, upstreamTakesRequest: upstreamHasTaken()) {
        case .cutOff:
            conclude()
            dropStream()
            tellEnded(outcome: "idle")
            client.abort(nil)
        case .refuseRequest: fail(.requestTimeout)
        case .fail: fail(UpstreamFailure.requestNotTaken)
        case .goOn: client.progress()
        case .none: break
        }
    }

    private func upstreamHasTaken() -> Bool { sendProgress.hasMoved(unsent: stream?.unsentBytes ?? 0) }

    // MARK: The end of a lease

    func dropStream(_ end: StreamEnd = .cancelled) {
        guard let stream else { return }
        stream.close(end)
        streamEnded()
    }

    func releaseStream(reusable: Bool) {
        guard let stream else { return }
        stream.release(reusable: reusable)
        streamEnded()
    }

    /// The stream is leased no longer.
    func streamEnded() {
        if case .leased = upstream { upstream = .none }
    }

    // MARK: End

    /// Ends the exchange: nothing more is to happen.
    func conclude() {
        machine.conclude()
        held.release()
        if case .leased = upstream { return }
        upstream.giveUpWaiting()
        upstream = .none
    }
}

@available(*, unavailable)
extension Exchange: Sendable {}
