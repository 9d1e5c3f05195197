import HTTP1Codec
import Inspection
import NIOCore
import Routing

extension Exchange {
    /// Takes down what is shown of the request as it is sent, and tells of it.
    ///
    /// - Parameters:
    ///   - head: That which is sent, but for what `outgoing` changes.
    ///   - body: The body, where it took part in the signature.
    func inspect(_ outgoing: OutgoingRequest, of head: RequestHead, body: ByteBuffer?, on stream: any UpstreamStream) {
        let sent = SentRequest(
            head,
            as: outgoing,
            fields: context.scratch.fields,
            signature: authorization.signatureMethod,
            authorization.explanation(head, on: route, body: body),
            on: stream,
            chain: context.tls(of: route)?.describe(stream.verdict?.presentedDER ?? [], of: route.authority) ?? [],
            pins: context.tls(of: route)?.pins(of: route.authority)
        )
        sentRequest = sent
        if context.tellsDecisions { context.tellSent(self, sent, on: stream) }
    }

    /// Takes down what a server presented that was not accepted.
    func inspect(_ failure: UpstreamFailure) {
        guard context.journal.isRecording, case .notTrusted(let refused) = failure else { return }
        sentRequest = SentRequest(refused: refused)
    }
}
