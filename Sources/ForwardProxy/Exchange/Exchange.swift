import Credentials
import HTTP1Codec
import NIOCore
import OAuthSigning
import Routing
import Settings

/// One request and its response, between a client's connection and an upstream's. Both are on one event loop.
///
/// Only carries out what ``ExchangeStateMachine`` says.
final class Exchange {
    /// Bytes of a streamed body that are kept until the response begins, so that it can be sent again.
    static let replayLimit = 64 * 1024
    /// The time for which a refusal is held back while it is awaited.
    static let inspectionTime = TimeAmount.seconds(5)

    let head: RequestHead
    let route: RequestRoute
    /// The protocols that the client offers to switch to; nil: the connection stays HTTP.
    let offer: ByteBuffer?
    /// Which lets go of the exchange when that is over.
    let client: any ExchangeClient
    let context: ExchangeContext
    let connections: TargetPool
    /// The counters that count it; nil: it is not counted.
    let admission: RequestAdmission?
    var machine: ExchangeStateMachine
    var stream: (any UpstreamStream)?
    var authorization: ReadyAuthorization?
    var kept = KeptBody()
    var requestTrailers: FieldSection?
    /// The inspection of a response that may refuse the signature or the token.
    var inspection = RefusalInspection()
    /// The values that the request was last signed with.
    var signedWith: (nonce: InlineArray<32, UInt8>, timestamp: UInt64)?
    /// Indicates whether only HTTP/1.1 will do upstream.
    var requiresHTTP1: Bool
    var record: AccessRecord
    /// The memory that it holds of `limits.collected`: a body that is collected or may be sent again, and a large head
    /// or trailer section.
    var memory = MemoryClaim()
    /// Bytes of the body that its client's connection keeps until they are wanted, where these are many.
    var waitingBytes = 0
    /// Of a body that is collected.
    var pace: BodyPace
    /// As long as a token is waited for.
    var tokenWait: TokenWait?
    /// As long as a connection is opened for this request alone.
    var dial: ClientDial?
    /// Indicates whether the whole request is written, and the upstream has not taken all of it.
    var isHeldUp = false
    /// Indicates whether the upstream takes what is written.
    var sendProgress = SendProgress()

    init(
        head: consuming RequestHead,
        route: consuming RequestRoute,
        connections: TargetPool,
        admission: RequestAdmission?,
        client: any ExchangeClient,
        context: ExchangeContext
    ) {
        offer = head.connection.upgrade ? UpgradeOffer.protocols(in: head) : nil
        machine = ExchangeStateMachine(
            isIdempotent: head.method.isIdempotent,
            takesInterimResponses: head.version != .http10
        )
        self.head = head
        self.route = route
        self.connections = connections
        self.admission = admission
        self.client = client
        requiresHTTP1 = offer != nil
        self.context = context
        record = AccessRecord(start: context.clock.now)
        pace = BodyPace(start: record.start)
        context.exchangeBegan()
    }

    // MARK: Request

    /// Indicates whether the next event of the client's request is wanted now.
    var wantsRequestBody: Bool {
        machine.wantsRequestBody && (stream?.isWritable ?? true)
    }

    var requestIsComplete: Bool { machine.requestIsComplete }

    /// Indicates whether nothing more is to happen.
    var isOver: Bool { machine.isOver }

    /// Indicates whether nothing more is to come of the client's request.
    var requestIsWhole: Bool { machine.requestIsComplete || head.framing == .none }

    /// Indicates whether the request is on its way, and more of it to come.
    var isSending: Bool { stream != nil && !requestIsWhole }

    func start() {
        guard mayHold() else { return failHolding() }
        if authenticatesConnection { requiresHTTP1 = true }
        let body: ExchangeStateMachine.BodyHandling
        if let account = route.accountReference, needsBody(account) {
            let limit = context.apis[account.api].settings.maxBody
            if case .length(let length) = head.framing, length > UInt64(limit) {
                return fail(.bodyTooLarge(limit: limit))
            }
            body = .collect(limit: limit)
        } else {
            body = .stream
        }
        switch machine.start(body: body, expectsContinue: head.expectsContinue && head.framing != .none) {
        case .collect(let sendContinue):
            kept.beginCollecting()
            if sendContinue { client.writeContinue() }
        case .prepare: prepare()
        }
    }

    func needsBody(_ account: AccountReference) -> Bool {
        guard head.framing != .none || context.apis[account.api].signsEmptyBodies else { return false }
        guard !keepsAuthorization, let options = context.tokens.options(of: account) else { return false }
        let contentType = head.fields.value(of: .contentType) ?? ByteBuffer()
        return options.needsBody(
            contentType: contentType.readableBytesUInt8Span,
            hasBody: head.framing != .none || options.bodyHash == .always
        )
    }

    /// Indicates whether the client's own Authorization goes on, and nothing is signed.
    var keepsAuthorization: Bool {
        guard let account = route.accountReference else { return true }
        return context.apis[account.api].settings.existingAuthorization == .keep
            && head.fields.contains(.authorization) && route.gateway?.consumesAuthorization != true
    }

    /// Indicates whether the client's own credentials, which go on, make the connection to the server the client's.
    var authenticatesConnection: Bool { keepsAuthorization && ConnectionAuthentication.isUsed(by: head) }

    /// From now on the connection that the request was sent on carries this client's requests alone. One that speaks
    /// HTTP/2 is shared all the same, and not asked for requests with such credentials.
    func ownConnection() {
        let owned = client.ownedConnections ?? OwnedConnections()
        client.ownedConnections = owned
        (stream as? UpstreamConnection)?.belong(to: owned.owner(for: route.clientName))
    }

    func requestBody(_ bytes: ByteBuffer) {
        record.requestBytes += bytes.readableBytes
        switch machine.requestBody(bytes: bytes.readableBytes) {
        case .keep: collect(bytes)
        case .refuseTooLarge(let limit): fail(.bodyTooLarge(limit: limit))
        case .forward:
            keepForReplay(bytes)
            stream?.writeBody(bytes)
        case .discard: break
        }
    }

    func requestEnd(trailers: FieldSection?) {
        requestTrailers = trailers.flatMap { mayForward($0) ? $0 : nil }
        switch machine.requestEnded() {
        case .prepare:
            guard mayHold() else { return failHolding() }
            client.progress()
            prepare()
        case .forward:
            writeRequestEnd()
            keepTrailers()
            awaitResponse()
        case .forwardAndFinish(let reuse):
            writeRequestEnd()
            stream?.flush()
            finish(reuseUpstream: reuse)
        case .none: break
        }
    }

    /// Returns whether a trailer section may be forwarded: what would have a framework pass by the rules of an API is
    /// refused in a head; here the request is on its way, or its body held, and a trailer section need not be forwarded
    /// (RFC 9110, section 6.5.1).
    private func mayForward(_ trailers: FieldSection) -> Bool {
        guard let overrides = route.api?.overrides else { return true }
        return !trailers.contains { overrides.field(named: $0.name.readableBytesUInt8Span) != nil }
    }

    /// All that was at hand of the client's request has been handed over.
    func requestDelivered() {
        stream?.flush()
        if machine.isCollecting { awaitCollected() }
    }

    // MARK: Client

    func clientBecameWritable() {
        stream?.resumeReading()
        client.flush()
    }

    /// - Parameter end: How the client gave it up.
    func clientClosed(_ end: StreamEnd = .cancelled) {
        drop(end, outcome: "client closed")
    }

    /// The proxy ends, and waits no longer.
    func cutOff() {
        drop(.cancelled, outcome: "cut off")
    }

    /// Somebody else gets the place of the client's connection.
    func giveWay() {
        drop(.cancelled, outcome: "gave way")
    }

    private func drop(_ end: StreamEnd, outcome: String) {
        guard !isOver else { return }
        conclude()
        dropStream(end)
        context.exchangeEnded(self, record, outcome: outcome)
    }

    /// The time for the head of the response is over.
    func responseTimedOut() {
        guard machine.isAwaitingResponseHead else { return client.progress() }
        dropStream(.timedOut)
        fail(UpstreamFailure.responseTimeout(setting: responseTimeSetting))
    }

    /// Nothing has moved for `timeouts.idle`.
    func stalled() {
        guard !isOver else { return }
        if machine.finalResponseHasBegun {
            conclude()
            dropStream()
            context.exchangeEnded(self, record, outcome: "idle")
            client.abort(nil)
        } else if wantsRequestBody {
            fail(.requestTimeout)
        } else if sendProgress.hasMoved(unsent: stream?.unsentBytes ?? 0) {
            client.progress()
        } else {
            fail(UpstreamFailure.requestNotTaken)
        }
    }

    /// The rest of the client's request cannot be read.
    func requestBroken(_ error: MessageError) {
        guard !isOver else { return }
        dropStream()
        fail(Problem(malformed: error, headerLimit: context.settings.limits.header))
    }

    func dropStream(_ end: StreamEnd = .cancelled) {
        stream?.close(end)
        stream = nil
    }

    // MARK: Ending

    private func conclude() {
        machine.conclude()
        memory.release()
        tokenWait?.cancel()
        tokenWait = nil
        dial?.giveUp()
        dial = nil
    }

    func fail(_ problem: Problem) {
        guard !isOver else { return }
        conclude()
        dropStream()
        record.note(problem)
        if machine.finalResponseHasBegun {
            context.exchangeEnded(self, record, outcome: "aborted")
            client.abort(nil)
        } else {
            context.exchangeEnded(self, record, outcome: nil)
            client.answer(problem, to: head, requestIsComplete: requestIsWhole)
        }
    }

    func abort(_ reason: UpstreamFailure) {
        guard !isOver else { return }
        conclude()
        dropStream()
        record.error = .connectionTerminated
        context.exchangeEnded(self, record, outcome: "upstream closed")
        client.abort(reason)
    }

    func finish(reuseUpstream: Bool) {
        guard !isOver else { return }
        conclude()
        stream?.release(reusable: reuseUpstream)
        stream = nil
        context.exchangeEnded(self, record, outcome: nil)
        client.exchangeFinished()
    }

    func finishUnread() {
        guard !isOver else { return }
        conclude()
        dropStream()
        context.exchangeEnded(self, record, outcome: nil)
        client.exchangeFinishedUnread()
    }
}

@available(*, unavailable)
extension Exchange: Sendable {}
