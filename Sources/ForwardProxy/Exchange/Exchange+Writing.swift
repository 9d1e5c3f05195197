import HTTP1Codec
import NIOCore
import OAuthSigning

// MARK: - How a request is written

extension Exchange {
    /// Writes the head, and what is at hand of the body.
    ///
    /// - Parameters:
    ///   - signed: Nil where the request goes on as it came.
    ///   - isComplete: Whether all of the request is at hand.
    func writeHead(_ signed: SignedRequest?, isComplete: Bool, on stream: any UpstreamStream) {
        let head = keepsAuthorization ? head : route.leavingTokenOut(of: head, context.apis)
        let body = OutgoingBody(
            signed: signed?.body,
            collected: held.body.collected,
            trailers: held.trailers,
            framing: head.framing
        )
        let outgoing = RequestForwarding.prepare(
            head: head,
            route: route,
            credentials: OutgoingCredentials(
                signed: signed,
                field: route.tokenField(context.apis),
                keepsOwn: keepsAuthorization
            ),
            body: body,
            upgrade: offer,
            fields: &context.scratch.fields
        )
        if context.reporter.isRecording || context.decisions.tellsDecisions {
            show(outgoing, of: head, on: stream)
        }
        stream.write(head, as: outgoing, scratch: context.scratch)
        if let body {
            guard let trailers = body.trailers else { return }
            if body.bytes.readableBytes > 0 { stream.writeBody(body.bytes) }
            return stream.writeEnd(trailers: trailers)
        }
        if held.body.replayBytes > 0, let replay = held.body.replay { stream.writeBody(replay) }
        if isComplete { writeRequestEnd() }
    }

    func writeRequestEnd() {
        guard held.body.collected == nil else { return }
        stream?.writeEnd(trailers: held.trailers)
    }
}
