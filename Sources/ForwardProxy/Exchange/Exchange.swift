import Credentials
import HTTP1Codec
import NIOCore
import OAuthSigning

/// One request and its response, between a client's connection and an upstream's. Both are on one event loop.
///
/// Only carries out what ``ExchangeStateMachine`` says.
final class Exchange {
    /// Octets of a streamed body that are kept until the response begins, so that it can be sent again.
    private static let replayLimit = 64 * 1024
    /// Octets of a refusal that are held back while it is read.
    private static let inspectionLimit = 64 * 1024
    /// A body piece up to this size is copied behind what precedes it, to leave in one TLS record.
    private static let coalescingLimit = 16 * 1024

    let head: RequestHead
    let route: ExchangeRoute
    private unowned let client: ClientHandler
    private let worker: ProxyWorker
    private var machine: ExchangeStateMachine
    private var connection: UpstreamConnection?
    private var signer: ReadySigner?
    private var collected: ByteBuffer?
    private var replay: [ByteBuffer] = []
    private var replayOctets = 0
    private var replayIsWhole = true
    private var requestTrailers: FieldSection?
    private var responseBody: ResponseBodyCoding = .none
    private var heldHead: ResponseHead?
    private var heldBody = ByteBuffer()
    private var sentContinue = false
    private var closesClient = false
    private var isOver = false
    private(set) var record: AccessRecord

    init(head: RequestHead, route: ExchangeRoute, client: ClientHandler, worker: ProxyWorker) {
        self.head = head
        self.route = route
        self.client = client
        self.worker = worker
        self.machine = ExchangeStateMachine(isIdempotent: head.method.isIdempotent)
        self.record = AccessRecord(start: .now())
    }

    // MARK: Request

    /// Whether the next event of the client's request is wanted now.
    var wantsRequestBody: Bool {
        machine.wantsRequestBody && (connection?.isWritable ?? true)
    }

    /// Whether the proxy, not the client, is the one that is waited for.
    var isAwaitingUpstream: Bool { !machine.wantsRequestBody }

    var requestIsComplete: Bool { machine.requestIsComplete }

    func start() {
        let body: ExchangeStateMachine.BodyHandling
        if let account = route.account, needsBody(account) {
            let limit = worker.apis[account.api].settings.maxBody
            if case .length(let length) = head.framing, length > UInt64(limit) {
                return fail(.bodyTooLarge(limit: limit))
            }
            body = .collect(limit: limit)
        } else {
            body = .stream
        }
        switch machine.start(body: body, expectsContinue: head.expectsContinue) {
        case .collect(let sendContinue):
            collected = ByteBuffer()
            if sendContinue, head.framing != .none {
                sentContinue = true
                client.write(ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n"))
                client.flush()
            }
        case .prepare: prepare()
        }
    }

    private func needsBody(_ account: ExchangeRoute.AccountReference) -> Bool {
        guard !keepsAuthorization else { return false }
        let options = worker.tokens.options(of: account)
        let contentType = head.fields.value(of: .contentType) ?? ByteBuffer()
        return options.needsBody(
            contentType: contentType.readableBytesUInt8Span,
            hasBody: head.framing != .none || options.bodyHash == .always
        )
    }

    /// Whether the client's own Authorization goes on, and nothing is signed.
    private var keepsAuthorization: Bool {
        guard let account = route.account else { return true }
        return worker.apis[account.api].settings.existingAuthorization == .keep
            && head.fields.contains(.authorization)
    }

    func requestBody(_ octets: ByteBuffer) {
        record.requestOctets += octets.readableBytes
        switch machine.requestBody(octets: octets.readableBytes) {
        case .keep: collected?.writeImmutableBuffer(octets)
        case .refuseTooLarge(let limit): fail(.bodyTooLarge(limit: limit))
        case .forward:
            keepForReplay(octets)
            writeRequestBody(octets)
        case .discard: break
        }
    }

    func requestEnd(trailers: FieldSection?) {
        requestTrailers = trailers
        switch machine.requestEnded() {
        case .prepare: prepare()
        case .forward:
            writeRequestEnd()
            client.awaitResponse()
        case .forwardAndFinish(let reuse):
            writeRequestEnd()
            finish(reuseUpstream: reuse)
        case .none: break
        }
    }

    /// All that was at hand of the client's request has been handed over.
    func requestDelivered() {
        connection?.flush()
    }

    private func keepForReplay(_ octets: ByteBuffer) {
        guard replayIsWhole else { return }
        replayOctets += octets.readableBytes
        if replayOctets > Self.replayLimit || machine.responseHasBegun {
            replayIsWhole = false
            replay.removeAll()
        } else {
            replay.append(octets)
        }
    }

    private var bodyAtHand: Bool { collected != nil || replayIsWhole }

    // MARK: Credentials and connection

    private func prepare() {
        guard let account = route.account, !keepsAuthorization else { return connect(allowReused: true) }
        if let ready = worker.tokens.cachedSigner(for: account) {
            signer = ready
            return connect(allowReused: true)
        }
        worker.tokens.signer(for: account) { [self] result in
            guard !isOver else { return }
            switch result {
            case .success(let ready):
                signer = ready
                connect(allowReused: true)
            case .failure(let problem): fail(problem)
            }
        }
    }

    private func connect(allowReused: Bool) {
        if allowReused, let connection = worker.pool.leaseIdle(route.target) {
            return send(on: connection)
        }
        worker.pool.open(route.target) { [self] result in
            switch result {
            case .success(let connection):
                guard !isOver else { return worker.pool.release(connection, to: route.target) }
                send(on: connection)
            case .failure(let failure):
                guard !isOver else { return }
                fail(failure)
            }
        }
    }

    private func fail(_ failure: UpstreamFailure) {
        if case .notTrusted(let trust) = failure { worker.reportTrustFailure(trust, authority: route.authority) }
        fail(failure.problem(authority: "\(route.authority)"))
    }

    // MARK: Sending

    private func send(on connection: UpstreamConnection) {
        do throws(SigningError) {
            let signed = try sign()
            connection.lease(to: self)
            self.connection = connection
            connection.expectResponse(to: head.method)
            let complete = machine.upstreamReady(reused: connection.leases > 1)
            writeHead(signed, isComplete: complete)
            if complete {
                connection.flush()
                client.awaitResponse()
            } else {
                client.requestBodyWanted()
            }
        } catch {
            worker.pool.release(connection, to: route.target)
            fail(.unsignable(error))
        }
    }

    private func sign() throws(SigningError) -> SignedRequest? {
        guard let signer else { return nil }
        let nonce = worker.nonces.next()
        let target = route.requestTarget
        let host = route.host
        let contentType = head.fields.value(of: .contentType) ?? ByteBuffer()
        let body = collected ?? ByteBuffer()
        return try signer.signer.sign(
            method: head.methodOctets.readableBytesUInt8Span,
            scheme: route.scheme,
            authority: host.readableBytesUInt8Span,
            target: target.readableBytesUInt8Span,
            contentType: contentType.readableBytesUInt8Span,
            body: collected == nil ? nil : body.readableBytesUInt8Span,
            nonce: nonce.span,
            timestamp: worker.timestamp()
        )
    }

    private func writeHead(_ signed: SignedRequest?, isComplete: Bool) {
        guard let connection else { return }
        let body: ByteBuffer? = signed?.body.map { ByteBuffer(bytes: $0) } ?? collected
        RequestForwarding.write(
            head: head,
            route: route,
            signed: signed,
            collectedLength: body?.readableBytes,
            keepsAuthorization: keepsAuthorization,
            fields: &worker.fieldScratch,
            into: &worker.requestScratch
        )
        if let body, body.readableBytes <= Self.coalescingLimit {
            worker.requestScratch.writeImmutableBuffer(body)
            connection.write(worker.requestScratch)
        } else {
            connection.write(worker.requestScratch)
            if let body { connection.write(body) }
        }
        guard body == nil else { return }
        for piece in replay { writeRequestBody(piece) }
        if isComplete { writeRequestEnd() }
    }

    private func writeRequestBody(_ octets: ByteBuffer) {
        guard let connection else { return }
        guard head.framing == .chunked else { return connection.write(octets) }
        var framing = ByteBuffer()
        ChunkedEncoding.writeChunk(octets, into: &framing)
        connection.write(framing)
    }

    private func writeRequestEnd() {
        guard let connection, collected == nil, head.framing == .chunked else { return }
        var framing = ByteBuffer()
        ChunkedEncoding.writeLastChunk(trailers: requestTrailers, into: &framing)
        connection.write(framing)
    }

    // MARK: Client

    func clientBecameWritable() {
        connection?.resumeReading()
    }

    func clientClosed() {
        guard !isOver else { return }
        isOver = true
        dropConnection()
        worker.log(record, self, outcome: "client closed")
    }

    /// The time for the head of the response is over.
    func responseTimedOut() {
        guard machine.isAwaitingResponseHead else { return }
        dropConnection()
        fail(UpstreamFailure.responseTimeout)
    }

    /// Nothing has moved for `timeouts.idle`, or the client did not send its request in time.
    func stalled() {
        guard !isOver else { return }
        if machine.finalResponseHasBegun || connection != nil || !machine.wantsRequestBody {
            isOver = true
            dropConnection()
            worker.log(record, self, outcome: "idle")
            client.abort()
        } else {
            fail(.requestTimeout)
        }
    }

    /// The rest of the client's request cannot be read.
    func requestBroken(_ error: MessageError) {
        guard !isOver else { return }
        dropConnection()
        fail(Problem(malformed: error))
    }

    private func dropConnection() {
        connection?.close()
        connection = nil
    }

    // MARK: Ending

    private func fail(_ problem: Problem) {
        guard !isOver else { return }
        isOver = true
        dropConnection()
        record.status = problem.status
        record.error = problem.token
        if machine.finalResponseHasBegun {
            worker.log(record, self, outcome: "aborted")
            client.abort()
        } else {
            worker.log(record, self, outcome: nil)
            client.answer(problem, to: head, requestIsComplete: machine.requestIsComplete || head.framing == .none)
        }
    }

    private func abort() {
        guard !isOver else { return }
        isOver = true
        dropConnection()
        record.error = .connectionTerminated
        worker.log(record, self, outcome: "upstream closed")
        client.abort()
    }

    private func finish(reuseUpstream: Bool) {
        guard !isOver else { return }
        isOver = true
        if let connection {
            if reuseUpstream { worker.pool.release(connection, to: route.target) } else { connection.close() }
        }
        connection = nil
        worker.log(record, self, outcome: nil)
        client.exchangeFinished(close: closesClient)
    }

    private func finishUnread() {
        guard !isOver else { return }
        isOver = true
        dropConnection()
        worker.log(record, self, outcome: nil)
        client.exchangeFinishedUnread()
    }
}

// MARK: - Response

extension Exchange: UpstreamLessee {
    var takesResponseOctets: Bool { heldHead != nil || client.isWritable }

    func upstreamResponseHead(_ response: ResponseHead) {
        let mayRefuse = signer?.isRenewable ?? false
        if response.status == 101 {
            dropConnection()
            return fail(.unexpectedUpgrade(authority: "\(route.authority)"))
        }
        client.progress()
        let action = machine.responseHead(
            status: response.status,
            isInformational: response.isInformational,
            mayRefuseToken: mayRefuse
        )
        switch action {
        case .forwardInterim:
            guard head.version == .http11, !(response.status == 100 && sentContinue) else { return }
            response.write(into: &worker.responseScratch, dropping: ResponseForwarding.hopByHop, appending: ByteBuffer())
        case .inspect: heldHead = response
        case .forward: forward(response)
        }
    }

    private func forward(_ response: ResponseHead) {
        record.status = response.status
        replay.removeAll()
        replayIsWhole = false
        closesClient = !head.keepAlive || worker.isDraining || (!machine.requestIsComplete && !response.keepAlive)
        responseBody = ResponseForwarding.write(
            response,
            to: head,
            closes: &closesClient,
            fields: &worker.fieldScratch,
            into: &worker.responseScratch
        )
    }

    func upstreamResponseBody(_ octets: ByteBuffer) {
        client.progress()
        if heldHead != nil {
            heldBody.writeImmutableBuffer(octets)
            if heldBody.readableBytes > Self.inspectionLimit { endInspection() }
            return
        }
        record.responseOctets += octets.readableBytes
        writeResponseBody(octets)
    }

    private func writeResponseBody(_ octets: ByteBuffer) {
        if responseBody == .chunked {
            ChunkedEncoding.writeChunkHeader(length: octets.readableBytes, into: &worker.responseScratch)
        }
        if octets.readableBytes <= Self.coalescingLimit {
            worker.responseScratch.writeImmutableBuffer(octets)
        } else {
            writeScratch()
            client.write(octets)
        }
        if responseBody == .chunked { ChunkedEncoding.writeChunkEnd(into: &worker.responseScratch) }
    }

    func upstreamDelivered() {
        writeScratch()
    }

    private func writeScratch() {
        guard worker.responseScratch.readableBytes > 0 else { return }
        client.write(worker.responseScratch)
        worker.responseScratch.clear()
    }

    func upstreamResponseEnd(trailers: FieldSection?, reusable: Bool) {
        if heldHead != nil {
            guard !repeatWithNewToken(reusable: reusable) else { return }
            endInspection()
        }
        endResponse(trailers: trailers, reusable: reusable)
    }

    private func endResponse(trailers: FieldSection?, reusable: Bool) {
        if responseBody == .chunked {
            ChunkedEncoding.writeLastChunk(trailers: trailers, into: &worker.responseScratch)
        }
        writeScratch()
        client.flush()
        switch machine.responseEnded(upstreamReusable: reusable) {
        case .finish(let reuse): finish(reuseUpstream: reuse)
        case .continueRequest: client.requestBodyWanted()
        case .finishUnread: finishUnread()
        }
    }

    func upstreamReadComplete() {
        client.flush()
    }

    func upstreamWritabilityChanged(isWritable: Bool) {
        if isWritable { client.requestBodyWanted() }
    }

    func upstreamClosed(_ reason: UpstreamFailure) {
        connection = nil
        guard !isOver else { return }
        if heldHead != nil { endInspection() }
        writeScratch()
        switch machine.upstreamClosed(bodyAtHand: bodyAtHand) {
        case .repeatOnNewConnection: connect(allowReused: false)
        case .fail: fail(reason)
        case .abort: abort()
        case .finishUnread: finishUnread()
        case .none: break
        }
    }

    // MARK: Refused tokens

    /// The response that was held back is of no use for a repetition: it goes to the client.
    private func endInspection() {
        guard let response = heldHead else { return }
        heldHead = nil
        machine.inspectionEnded()
        forward(response)
        let body = heldBody
        heldBody = ByteBuffer()
        record.responseOctets += body.readableBytes
        if body.readableBytes > 0 { writeResponseBody(body) }
    }

    /// - Returns: whether the response is held back until there is an answer about another token.
    private func repeatWithNewToken(reusable: Bool) -> Bool {
        guard let response = heldHead, let account = route.account, let signer else { return false }
        let challenge = response.fields.string(of: .wwwAuthenticate) ?? ""
        guard TokenRefusal.isTokenProblem(challenge: challenge, body: String(buffer: heldBody)) else { return false }
        let repeats = machine.requestIsComplete && machine.repeatAfterRefusedToken(bodyAtHand: bodyAtHand)
        guard repeats else {
            worker.tokens.renew(signer, of: account, wantsToken: false) { _ in }
            return false
        }
        if let connection {
            if reusable { worker.pool.release(connection, to: route.target) } else { connection.close() }
        }
        connection = nil
        worker.tokens.renew(signer, of: account, wantsToken: true) { [self] result in
            guard !isOver else { return }
            switch result {
            case .success(let ready):
                heldHead = nil
                heldBody = ByteBuffer()
                self.signer = ready
                connect(allowReused: true)
            case .failure(let problem):
                heldHead = nil
                fail(problem)
            case nil: passRefusalOn()
            }
        }
        return true
    }

    /// No other token can be had: the provider's own answer goes to the client, whole as it was held back.
    private func passRefusalOn() {
        endInspection()
        endResponse(trailers: nil, reusable: false)
    }
}

@available(*, unavailable)
extension Exchange: Sendable {}
