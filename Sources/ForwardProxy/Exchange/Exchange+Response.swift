import Credentials
import HTTP1Codec
import NIOCore
import Routing
import Settings

extension Exchange: UpstreamLessee {
    var takesResponseBytes: Bool { inspection.isHolding || client.isWritable }

    func upstreamResponseHead(_ response: ResponseHead) {
        if tellsHeads { tellHead(response) }
        if !response.isInformational {
            let isAuthorized = authorization.ready != nil
            context.meter.noteAnswer(response, on: route, isReused: record.isReused ?? true, isAuthorized: isAuthorized)
        }
        if response.status == 101 {
            return switchProtocols(response)
        }
        if response.isInformational {
            wait(machine.responseAnnounced(isHeldUp: isHeldUp))
        } else {
            client.progress()
            record.firstByte = context.clock.now - record.start
        }
        if ConnectionAuthentication.isUsed(by: response) { ownConnection() }
        let action = machine.responseHead(
            status: response.status,
            isInformational: response.isInformational,
            isAuthorized: authorization.ready != nil || expectsRefusalOfOwnSignature()
        )
        switch action {
        case .forwardInterim: client.writeInterim(response)
        case .dropInterim: break
        case .inspect: inspect(response)
        case .forward: forward(response)
        }
    }

    func forward(_ response: ResponseHead) {
        record.status = response.status
        if context.reporter.isRecording {
            record.sent?.response = HeadText.lines(of: response, secrets.scrubber())
        }
        dropReplay()
        client.writeHead(
            asSeenByClient(response),
            to: head,
            proxyStatus: refusalStatus(response),
            requestIsComplete: machine.requestIsComplete
        )
    }

    /// Returns the response as the client of a gateway is to see it, where the API's settings say so.
    func asSeenByClient(_ response: ResponseHead) -> ResponseHead {
        guard let gateway = route.gateway,
            context.apis[gateway.gateway.route.index].settings.gateway?.mapsResponses ?? false
        else { return response }
        return gateway.map(response)
    }

    /// A member of the Proxy-Status field (RFC 9209) for a response that refuses the signature or the token.
    private func refusalStatus(_ response: ResponseHead) -> String? {
        let sentence: String
        if let outcome = inspection.ownOutcome {
            sentence = outcome.sentence
            report(outcome.summary, cause: OwnSignature.cause, response)
        } else if let refusal = refusalSentence(response) {
            sentence = refusal
            context.meter.noteRefusal(sentence, status: response.status, on: route)
            report(sentence, cause: inspection.diagnosis?.cause.rawValue ?? "", response)
        } else {
            return nil
        }
        let details = ProblemResponse.structuredString(sentence, limit: 400)
        return "paraph; received-status=\(response.status); details=\(details)"
    }

    private func report(_ sentence: String, cause: String, _ response: ResponseHead) {
        record.details = sentence
        record.diagnosis = cause.isEmpty ? nil : cause
        context.reporter.reportRefusal(sentence, cause: cause, status: response.status, route)
    }

    func upstreamResponseBody(_ bytes: ByteBuffer) {
        client.progress()
        if inspection.isHolding {
            if inspection.append(bytes) { giveUpInspection() }
            return
        }
        forward(body: bytes)
    }

    func forward(body bytes: ByteBuffer) {
        record.responseBytes += bytes.readableBytes
        context.meter.moved(responseBytes: bytes.readableBytes)
        client.writeBody(bytes)
    }

    func upstreamDelivered() {
        client.writeGathered()
    }

    func upstreamResponseEnd(trailers: FieldSection?, reusable: Bool) {
        if inspection.isHolding {
            inspection.complete(trailers: trailers)
            if correct(responseIsWhole: true, reusable: reusable) || comparesSignature(reusable: reusable) { return }
            endInspection()
        }
        endResponse(trailers: trailers, reusable: reusable)
    }

    func endResponse(trailers: FieldSection?, reusable: Bool) {
        client.writeEnd(trailers: trailers)
        client.writeGathered()
        client.flush()
        switch machine.responseEnded(upstreamReusable: reusable) {
        case .finish(let reuse): finish(reuseUpstream: reuse)
        case .continueRequest: client.requestBodyWanted()
        case .finishUnread: finishUnread()
        }
    }

    /// A refusal that ends early is the client's as well; one that is no HTTP is of no use to anybody.
    private func endEarly(_ reason: UpstreamFailure) {
        switch reason {
        case .malformedResponse, .malformedStream, .malformedConnection:
            _ = inspection.takeHeld()
        default:
            giveUpInspection()
            client.writeGathered()
            client.flush()
        }
    }

    func upstreamReadComplete() {
        client.flush()
    }

    func upstreamWritabilityChanged(isWritable: Bool) {
        if isWritable { client.requestBodyWanted() }
        wait(machine.upstreamTakes(isHeldUp: isHeldUp))
    }

    func upstreamClosed(_ reason: UpstreamFailure) {
        streamEnded()
        guard !isOver else { return }
        if inspection.isHolding { endEarly(reason) }
        // As long as the client has seen nothing of a response, it can still be told.
        if client.withdrawHead() { machine.responseWithdrawn() }
        client.writeGathered()
        // Of an attempt before this one nobody knows whether it was processed, so that the client must not be told that
        // the request was not (RFC 9113, section 8.7).
        let told = reason.end.isUnprocessed && machine.hasRepeated(after: .staleConnection) ? .closed : reason
        switch machine.upstreamEnded(reason.end, bodyAtHand: requestIsAtHand) {
        case .repeatOnNewConnection(let cause):
            record.willRepeat(because: cause)
            client.progress()
            connect(allowReused: false)
        case .fail where told.resetCode != nil && client.takesResets: abort(told)
        case .fail: fail(told)
        case .abort: abort(told)
        case .finishUnread: finishUnread()
        case .none: break
        }
    }

    /// The upstream switches protocols: from here on bytes go to and fro unread.
    private func switchProtocols(_ response: ResponseHead) {
        guard let stream, let offer, machine.requestIsComplete, UpgradeOffer.isTaken(offer, by: response) else {
            dropStream()
            return fail(.unexpectedUpgrade(authority: "\(route.authority)"))
        }
        becomeTunnel(response, on: stream)
    }

    // MARK: The time for the response

    /// Starts the wait for the response, when the whole request is written.
    func awaitResponse() {
        wait(machine.requestWritten(isHeldUp: isHeldUp))
    }

    private var isHeldUp: Bool { stream?.holdsRequestUp == true }

    private func wait(_ action: ExchangeStateMachine.ResponseWaitAction) {
        switch action {
        case .awaitResponse: client.awaitResponse(for: responseTime)
        // As long as in the midst of a body, or longer where its API says so.
        case .awaitAnnouncedResponse: client.awaitResponse(for: max(responseTime, context.settings.timeouts.idle))
        case .progress: client.progress()
        case .none: break
        }
    }

    private var responseTime: TimeAmount {
        let general = context.settings.timeouts.responseHeader
        guard let api = route.api else { return general }
        return context.apis[api.index].settings.responseHeaderTimeout ?? general
    }

    /// The setting that gives that time, or more of it.
    var responseTimeSetting: String {
        guard let api = route.api else { return "timeouts.response_header" }
        return "apis.\(api.name).timeouts.response_header"
    }
}
