import Credentials
import HTTP1Codec
import NIOCore

extension Exchange: UpstreamLessee {
    var takesResponseOctets: Bool { heldHead != nil || client.isWritable }

    func upstreamResponseHead(_ response: ResponseHead) {
        if response.status == 101 {
            dropConnection()
            // Interim responses that came with it are this client's, and would otherwise be the next one's.
            writeScratch()
            return fail(.unexpectedUpgrade(authority: "\(route.authority)"))
        }
        client.progress()
        let action = machine.responseHead(
            status: response.status,
            isInformational: response.isInformational,
            isAuthorized: authorization != nil
        )
        switch action {
        case .forwardInterim:
            guard head.version == .http11, !(response.status == 100 && sentContinue) else { return }
            response.write(
                into: &worker.responseScratch,
                dropping: ResponseForwarding.hopByHop,
                appending: ByteBuffer()
            )
        case .inspect: heldHead = response
        case .forward: forward(response)
        }
    }

    func forward(_ response: ResponseHead) {
        record.status = response.status
        replay.removeAll()
        replayIsWhole = false
        responseIsUnsent = true
        closesClient =
            !head.keepAlive || client.proxyLoop.isDraining || (!machine.requestIsComplete && !response.keepAlive)
        responseBody = ResponseForwarding.write(
            response,
            to: head,
            closes: &closesClient,
            proxyStatus: refusalStatus(response),
            fields: &worker.fieldScratch,
            into: &worker.responseScratch
        )
    }

    /// A member of the Proxy-Status field (RFC 9209) for a response that refuses the signature or the token.
    private func refusalStatus(_ response: ResponseHead) -> String? {
        guard let sentence = refusalSentence(response) else { return nil }
        record.details = sentence
        worker.reportRefusal(sentence, cause: diagnosis?.cause.rawValue ?? "", status: response.status, route)
        let details = ProblemResponse.structuredString(sentence, limit: 400)
        return "paraph; received-status=\(response.status); details=\(details)"
    }

    func upstreamResponseBody(_ octets: ByteBuffer) {
        client.progress()
        if heldHead != nil {
            heldBody.writeImmutableBuffer(octets)
            if heldBody.readableBytes > Self.inspectionLimit { giveUpInspection() }
            return
        }
        record.responseOctets += octets.readableBytes
        writeResponseBody(octets)
    }

    func writeResponseBody(_ octets: ByteBuffer) {
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

    func writeScratch() {
        guard worker.responseScratch.readableBytes > 0 else { return }
        responseIsUnsent = false
        client.write(worker.responseScratch)
        worker.responseScratch.clear()
    }

    func upstreamResponseEnd(trailers: FieldSection?, reusable: Bool) {
        if heldHead != nil {
            heldTrailers = trailers
            guard !mend(reusable: reusable) else { return }
            endInspection()
        }
        endResponse(trailers: trailers, reusable: reusable)
    }

    func endResponse(trailers: FieldSection?, reusable: Bool) {
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

    /// A refusal that ends early is the client's as well; one that is no HTTP is of no use to anybody.
    private func endEarly(_ reason: UpstreamFailure) {
        if case .malformedResponse = reason {
            heldHead = nil
            heldBody = ByteBuffer()
            return
        }
        giveUpInspection()
        writeScratch()
        client.flush()
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
        if heldHead != nil { endEarly(reason) }
        if responseIsUnsent {
            // The client has seen nothing of it, and can still be told.
            worker.responseScratch.clear()
            responseIsUnsent = false
            machine.responseWithdrawn()
        }
        writeScratch()
        switch machine.upstreamClosed(bodyAtHand: bodyAtHand) {
        case .repeatOnNewConnection: connect(allowReused: false)
        case .fail: fail(reason)
        case .abort: abort()
        case .finishUnread: finishUnread()
        case .none: break
        }
    }
}
