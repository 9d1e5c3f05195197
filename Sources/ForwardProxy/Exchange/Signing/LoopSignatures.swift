import Credentials
import HTTP1Codec
import NIOCore
import OAuthSigning
import Routing

/// The signatures of one event loop: makes those of requests, and sets the pace at which those of clients are compared
/// with the right ones.
final class LoopSignatures {
    private let apis: [APIContext]
    private let meter: RequestMeter
    private let clock: any ProxyClock
    private var nonces: NonceSource
    private var scratch = SigningScratch()
    private var comparisonPace = ComparisonPace()

    init(apis: [APIContext], meter: RequestMeter, clock: any ProxyClock) {
        self.apis = apis
        self.meter = meter
        self.clock = clock
        var generator = SystemRandomNumberGenerator()
        nonces = NonceSource(generator: &generator)
    }

    // MARK: Requests

    /// Returns the values that no other request is signed with.
    ///
    /// - Parameter api: The index of the request's API.
    func uniqueValues(for api: Int, _ timestamps: TimestampMode) -> (nonce: InlineArray<32, UInt8>, timestamp: UInt64) {
        (nonces.next(), apis[api].clock.timestamp(timestamps))
    }

    /// Returns what is added to a request of an API.
    ///
    /// - Parameter body: The body, where it takes part in the signature.
    func sign(
        _ head: borrowing RequestHead,
        on route: borrowing RequestRoute,
        of api: Int,
        body: ByteBuffer?,
        with signer: Signer,
        nonce: Span<UInt8>,
        timestamp: UInt64
    ) throws(SigningError) -> SignedRequest {
        meter.signed(api, by: signer.options.signatureMethod)
        guard let body else {
            return try sign(head, route, body: nil, signer, nonce, timestamp)
        }
        return try sign(head, route, body: body.readableBytesUInt8Span, signer, nonce, timestamp)
    }

    private func sign(
        _ head: borrowing RequestHead,
        _ route: borrowing RequestRoute,
        body: Span<UInt8>?,
        _ signer: Signer,
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
            scratch: &scratch
        )
    }

    // MARK: Comparisons

    /// - Returns: Whether a comparison may begin now; then ``endComparison()`` is to follow.
    func beginComparison() -> Bool { comparisonPace.begin(at: clock.now) }

    func endComparison() {
        comparisonPace.end(at: clock.now)
    }
}

@available(*, unavailable)
extension LoopSignatures: Sendable {}
