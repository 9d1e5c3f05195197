import HTTP1Codec
import NIOCore

extension Exchange {
    /// The response that was held back is of no use for a repetition: it goes to the client.
    func endInspection() {
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
    func repeatWithNewToken(reusable: Bool) -> Bool {
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
    func passRefusalOn() {
        endInspection()
        endResponse(trailers: nil, reusable: false)
    }
}
