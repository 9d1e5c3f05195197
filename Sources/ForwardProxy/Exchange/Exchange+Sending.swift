import HTTP1Codec
import NIOCore
import OAuthSigning

// MARK: - Credentials, a connection, the request

extension Exchange {
    func prepare() {
        guard let account = route.account, !keepsAuthorization else { return connect(allowReused: true) }
        if let ready = worker.tokens.cached(account) {
            authorization = ready
            return connect(allowReused: true)
        }
        worker.tokens.authorization(for: account) { [self] result in
            guard !isOver else { return }
            switch result {
            case .success(let ready):
                authorization = ready
                connect(allowReused: true)
            case .failure(let problem): fail(problem)
            }
        }
    }

    func connect(allowReused: Bool) {
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

    func fail(_ failure: UpstreamFailure) {
        fail(failure.problem(authority: "\(route.authority)"))
    }

    // MARK: Sending

    func send(on connection: UpstreamConnection) {
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

    func sign() throws(SigningError) -> SignedRequest? {
        guard let authorization, let account = route.account else { return nil }
        guard case .signer(let signer) = authorization.authorizer else {
            guard case .field(let value) = authorization.authorizer else { return nil }
            return SignedRequest(authorization: value)
        }
        let nonce = worker.nonces.next()
        let timestamp = worker.apis[account.api].clock.timestamp(authorization.timestamps)
        signedWith = (nonce, timestamp)
        let target = route.requestTarget
        let host = route.host
        let contentType = head.fields.value(of: .contentType) ?? ByteBuffer()
        let body = collected ?? ByteBuffer()
        return try signer.sign(
            method: head.methodOctets.readableBytesUInt8Span,
            scheme: route.scheme,
            authority: host.readableBytesUInt8Span,
            target: target.readableBytesUInt8Span,
            contentType: contentType.readableBytesUInt8Span,
            body: collected == nil ? nil : body.readableBytesUInt8Span,
            nonce: nonce.span,
            timestamp: timestamp
        )
    }

    func writeHead(_ signed: SignedRequest?, isComplete: Bool) {
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

    func writeRequestBody(_ octets: ByteBuffer) {
        guard let connection else { return }
        guard head.framing == .chunked else { return connection.write(octets) }
        var framing = ByteBuffer()
        ChunkedEncoding.writeChunk(octets, into: &framing)
        connection.write(framing)
    }

    func writeRequestEnd() {
        guard let connection, collected == nil, head.framing == .chunked else { return }
        var framing = ByteBuffer()
        ChunkedEncoding.writeLastChunk(trailers: requestTrailers, into: &framing)
        connection.write(framing)
    }
}
