import HTTP1Codec
import NIOCore

/// The response that goes out to a client that speaks HTTP/1.1: how its body is framed, and what comes after it.
struct ClientResponse {
    private var coding: ResponseBodyCoding = .none
    /// Indicates whether the head still lies in the scratch buffer, so that it can be taken back.
    private var headIsUnsent = false
    /// Indicates whether the connection ends with it.
    private(set) var closes = false

    /// - Parameters:
    ///   - closes: Whether the connection ends with it in any case.
    ///   - requestIsComplete: Whether the whole request has been read.
    /// - Returns: The names whose lines are left out.
    @discardableResult
    mutating func writeHead(
        _ response: ResponseHead,
        to request: RequestHead,
        closes: Bool,
        proxyStatus: String?,
        requestIsComplete: Bool,
        into scratch: ResponseScratch
    ) -> KnownFieldSet {
        headIsUnsent = true
        // A server that answers before it has the whole request, and then closes or speaks HTTP/2, gets no more of it.
        // The rest then ends this connection, and the client has to know that, or it loses its next request.
        let dropsRest = !requestIsComplete && (!response.keepAlive || response.version == .http2)
        self.closes = closes || !request.keepAlive || dropsRest
        let outcome = ResponseForwarding.write(
            response,
            to: request,
            closes: &self.closes,
            proxyStatus: proxyStatus,
            fields: &scratch.fields,
            into: &scratch.response.bytes
        )
        coding = outcome.coding
        return outcome.dropped
    }

    /// Returns the proxy's own answer, whole, and whether the connection ends with it.
    ///
    /// - Parameters:
    ///   - request: Nil when none could be read.
    ///   - closes: Whether the connection ends with it in any case.
    ///   - requestIsComplete: Whether nothing more comes of the request.
    static func answer(
        _ problem: Problem,
        to request: RequestHead?,
        closes: Bool,
        requestIsComplete: Bool
    ) -> (bytes: ByteBuffer, closes: Bool) {
        let isKept = requestIsComplete && !problem.endsConnection && request?.keepAlive == true
        let closes = closes || !isKept
        return (ProblemResponse.bytes(for: problem, omitsBody: request?.method == .head, closes: closes), closes)
    }

    /// Writes a piece of the body, or what precedes it where it is large.
    ///
    /// - Returns: False when the piece is to be written by itself. The end of a chunk then comes after it, where the body
    ///   ``isChunked``.
    func writePiece(_ bytes: ByteBuffer, into out: inout ByteBuffer) -> Bool {
        if isChunked { ChunkedEncoding.writeChunkHeader(length: bytes.readableBytes, into: &out) }
        guard bytes.readableBytes <= HeadBuffer.coalescingLimit else { return false }
        out.writeImmutableBuffer(bytes)
        if isChunked { ChunkedEncoding.writeChunkEnd(into: &out) }
        return true
    }

    /// Indicates whether the body has chunks, and an end that is written.
    var isChunked: Bool { coding == .chunked }

    /// Notes that the bytes in the scratch buffer are being written.
    mutating func headWasSent() {
        headIsUnsent = false
    }

    /// Takes the head back.
    ///
    /// - Returns: False when there is none, or when it was sent.
    mutating func withdrawHead() -> Bool {
        defer { headIsUnsent = false }
        return headIsUnsent
    }
}

extension Problem {
    /// Indicates whether no request is served any more behind the one that it answers. What follows a malformed one
    /// cannot be trusted to be a request.
    fileprivate var endsConnection: Bool {
        status == 400 || self == .configurationChanged || self == .gatewayGone
    }
}

/// Buffers of one event loop that are filled anew for the head of each response.
final class ResponseScratch {
    var response = HeadBuffer()
    /// The client whose bytes ``response`` holds; nil: nobody's, whatever it holds.
    private var owner: (any ExchangeClient)?
    /// The fields to append.
    var fields = AppendedFields()

    /// Hands the scratch to this client; called before anything is written into ``response``: an upstream connection may
    /// bring bytes for several clients of the event loop at once.
    func claim(for client: any ExchangeClient) {
        guard owner !== client else { return }
        owner?.writeGathered()
        owner = client
        response.bytes.clear()
    }

    /// Takes ``response`` from a client: it is free for others.
    ///
    /// - Returns: False when it was not the client's.
    func release(by client: any ExchangeClient) -> Bool {
        guard owner === client else { return false }
        owner = nil
        return true
    }
}

@available(*, unavailable)
extension ResponseScratch: Sendable {}
