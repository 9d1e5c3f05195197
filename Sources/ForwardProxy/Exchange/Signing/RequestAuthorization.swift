import HTTP1Codec
import NIOCore
import OAuthSigning
import Routing

/// The authorization of one request, by a signature or a token that this proxy adds to it.
struct RequestAuthorization {
    /// The way in which a request came by its authorization.
    enum Arrival {
        /// It was at hand when the request asked for it.
        case atHand
        case awaited
        /// It came of an exchange that another request had begun.
        case ofOthersExchange

        /// - Parameter wait: The wait that is over; nil: there was none.
        init(after wait: TokenWait?) {
            guard let wait else {
                self = .atHand
                return
            }
            self = wait.isForOthersExchange ? .ofOthersExchange : .awaited
        }
    }

    private var obtained: (ready: ReadyAuthorization, arrival: Arrival)?
    /// The values that the request was last signed with.
    private var signedWith: (nonce: InlineArray<32, UInt8>, timestamp: UInt64)?

    /// The timestamp that the request was last signed with; nil when it carries none.
    var timestamp: UInt64? { signedWith?.timestamp }

    /// The authorization; nil as long as it is not had, or where the client's own goes on.
    var ready: ReadyAuthorization? { obtained?.ready }

    /// The way in which it was come by; nil as long as ``ready`` is.
    var arrival: Arrival? { obtained?.arrival }

    mutating func obtain(_ ready: ReadyAuthorization, _ arrival: Arrival) {
        obtained = (ready, arrival)
    }

    /// Returns what is added to a request; nil when it goes on as it came.
    ///
    /// - Parameter body: The body, where it takes part in the signature.
    mutating func authorize(
        _ head: borrowing RequestHead,
        on route: borrowing RequestRoute,
        body: ByteBuffer?,
        by signatures: LoopSignatures
    ) throws(SigningError) -> SignedRequest? {
        guard let ready, let api = route.api?.index else { return nil }
        guard case .signer(let signer) = ready.authorizer else {
            guard case .field(let value) = ready.authorizer else { return nil }
            return SignedRequest(authorization: value)
        }
        let (nonce, timestamp) = signatures.uniqueValues(for: api, ready.timestamps)
        signedWith = (nonce, timestamp)
        return try signatures.sign(
            head,
            on: route,
            of: api,
            body: body,
            with: signer,
            nonce: nonce.span,
            timestamp: timestamp
        )
    }

    /// The signature base string of the request as it was last signed (RFC 5849, section 3.4.1); nil when it was not.
    ///
    /// - Parameter collected: The body, where it took part in the signature.
    func baseString(
        _ head: borrowing RequestHead,
        on route: borrowing RequestRoute,
        body collected: ByteBuffer?
    ) -> String? {
        explanation(head, on: route, body: collected)?.baseString
    }

    /// The method that the request is signed by; nil when it is not.
    var signatureMethod: SignatureMethod? {
        if case .signer(let signer) = ready?.authorizer { signer.options.signatureMethod } else { nil }
    }

    /// Everything about the signature of the request as it was last signed; nil when it was not.
    ///
    /// - Parameter collected: The body, where it took part in the signature.
    func explanation(
        _ head: borrowing RequestHead,
        on route: borrowing RequestRoute,
        body collected: ByteBuffer?
    ) -> SigningExplanation? {
        guard case .signer(let signer) = ready?.authorizer, let (nonce, timestamp) = signedWith else { return nil }
        let method = head.methodBytes
        let contentType = head.fields.value(of: .contentType) ?? ByteBuffer()
        let body = collected ?? ByteBuffer()
        let host = route.host
        let target = route.requestTarget
        return try? signer.explain(
            method: method.readableBytesUInt8Span,
            scheme: route.scheme,
            authority: host.readableBytesUInt8Span,
            target: target.readableBytesUInt8Span,
            contentType: contentType.readableBytesUInt8Span,
            body: collected == nil ? nil : body.readableBytesUInt8Span,
            nonce: nonce.span,
            timestamp: timestamp
        )
    }
}
