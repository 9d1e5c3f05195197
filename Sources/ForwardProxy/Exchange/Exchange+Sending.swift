import HTTP1Codec
import NIOCore
import OAuthSigning
import Routing

// MARK: - Credentials, a connection, the request

extension Exchange {
    func prepare() {
        guard let account = route.accountReference, !keepsAuthorization else { return connect(allowReused: true) }
        if let ready = context.tokens.cached(account) {
            authorization = ready
            return connect(allowReused: true)
        }
        let wait = TokenWait(of: client.usage(of: route.clientName))
        tokenWait = wait
        // The client's connection keeps the exchange: who gives up leaves no body waiting.
        context.tokens.authorization(for: account, wait: wait) { [weak self] result in
            guard let self, !isOver else { return }
            tokenWait = nil
            switch result {
            case .success(let ready):
                authorization = ready
                connect(allowReused: true)
            case .failure(let problem): fail(problem)
            }
        }
    }

    func connect(allowReused: Bool) {
        let usage = client.usage(of: route.clientName)
        let sendsBody = head.framing != .none && head.framing != .length(0)
        if allowReused {
            if let own = client.ownedConnections?.leaseIdle(to: connections, for: route.clientName) {
                if connections.mayUse(own, for: usage) { return send(on: own) }
                own.release(reusable: true)
            }
            if let stream = connections.leaseIdle(http1: requiresHTTP1, sendsBody: sendsBody, for: usage) {
                return send(on: stream)
            }
        }
        if route.api == nil { dial = ClientDial() }
        connections.open(http1: requiresHTTP1, sendsBody: sendsBody, for: usage, dial: dial) { [weak self] result in
            self?.dial = nil
            switch result {
            case .success(let stream):
                guard let self, !isOver else { return stream.release(reusable: true) }
                send(on: stream)
            case .failure(let failure):
                guard let self, !isOver else { return }
                fail(failure)
            }
        }
    }

    func fail(_ failure: UpstreamFailure) {
        fail(failure.problem(authority: "\(route.authority)"))
    }

    // MARK: Sending

    func send(on stream: any UpstreamStream) {
        do throws(SigningError) {
            let signed = try sign()
            stream.lease(to: self)
            self.stream = stream
            if authenticatesConnection { ownConnection() }
            sendProgress.reset()
            let complete = machine.upstreamReady(reused: stream.isReused)
            writeHead(signed, isComplete: complete)
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

    func sign() throws(SigningError) -> SignedRequest? {
        guard let authorization, let account = route.accountReference else { return nil }
        guard case .signer(let signer) = authorization.authorizer else {
            guard case .field(let value) = authorization.authorizer else { return nil }
            return SignedRequest(authorization: value)
        }
        let nonce = context.nonces.next()
        let timestamp = context.apis[account.api].clock.timestamp(authorization.timestamps)
        signedWith = (nonce, timestamp)
        guard let body = kept.collected else {
            return try sign(with: signer, head, route, body: nil, nonce.span, timestamp)
        }
        return try sign(with: signer, head, route, body: body.readableBytesUInt8Span, nonce.span, timestamp)
    }

    private func sign(
        with signer: Signer,
        _ head: borrowing RequestHead,
        _ route: borrowing RequestRoute,
        body: Span<UInt8>?,
        _ nonce: Span<UInt8>,
        _ timestamp: UInt64
    ) throws(SigningError) -> SignedRequest {
        let bytes = head.bytes.readableBytesUInt8Span
        let contentTypeRange = head.fields.valueRange(of: .contentType)
        let contentType = bytes.extracting(contentTypeRange ?? 0..<0)
        return try signer.sign(
            method: bytes.extracting(head.methodRange),
            scheme: route.scheme,
            authority: route.host.readableBytesUInt8Span,
            target: route.requestTarget.readableBytesUInt8Span,
            contentType: contentTypeRange == nil ? nil : contentType,
            body: body,
            nonce: nonce,
            timestamp: timestamp,
            scratch: &context.signingScratch
        )
    }

    func writeHead(_ signed: SignedRequest?, isComplete: Bool) {
        guard let stream else { return }
        let body: ByteBuffer? = signed?.body.map { ByteBuffer(bytes: $0) } ?? kept.collected
        let trailers = trailersAfterCollected(signed)
        stream.write(
            head,
            as: RequestForwarding.prepare(
                head: head,
                route: route,
                signed: signed,
                collected: trailers == nil ? body : nil,
                expectationIsMet: kept.collected != nil,
                keepsAuthorization: keepsAuthorization,
                upgrade: offer,
                isComplete: trailers == nil && (body != nil || head.framing == .none || head.framing == .length(0)),
                fields: &context.scratch.fields
            ),
            scratch: context.scratch
        )
        if let body, let trailers {
            if body.readableBytes > 0 { stream.writeBody(body) }
            return stream.writeEnd(trailers: trailers)
        }
        guard body == nil else { return }
        if kept.replay.readableBytes > 0 { stream.writeBody(kept.replay) }
        if isComplete { writeRequestEnd() }
    }

    /// Returns the trailers that are to follow a body that was collected, so that this cannot go with the head.
    private func trailersAfterCollected(_ signed: SignedRequest?) -> FieldSection? {
        guard kept.collected != nil, let trailers = requestTrailers, !trailers.isEmpty else { return nil }
        // The length that the head says is that of the body as it came.
        if case .length = head.framing, signed?.body != nil { return nil }
        return trailers
    }

    func writeRequestEnd() {
        guard kept.collected == nil else { return }
        stream?.writeEnd(trailers: requestTrailers)
    }
}
