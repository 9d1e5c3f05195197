package import HTTP1Codec
import NIOCore

/// The properties of a request to a gateway that its way on, and its response's way back, depend on.
package final class GatewayRequest: Sendable {
    private static let mapped: KnownFieldSet = [.location, .contentLocation, .setCookie]

    package let gateway: Gateway
    /// The gateway as the client named it.
    private let authority: ByteBuffer
    /// Indicates whether the client's Authorization field was for the proxy, and goes no further.
    package let consumesAuthorization: Bool

    init(gateway: Gateway, authority: ByteBuffer, consumesAuthorization: Bool) {
        self.gateway = gateway
        self.authority = authority
        self.consumesAuthorization = consumesAuthorization
    }

    /// The response as the gateway's client is to see it: what points at the upstream points at the gateway.
    package func map(_ response: ResponseHead) -> ResponseHead {
        guard !response.fields.present.isDisjoint(with: Self.mapped) else { return response }
        return response.replacingValues { line in
            switch line.known {
            case .location, .contentLocation: map(reference: line.value)
            case .setCookie:
                gateway.withoutDomain(cookie: line.value.readableBytesUInt8Span).map { ByteBuffer(bytes: $0) }
            default: nil
            }
        }
    }

    private func map(reference: ByteBuffer) -> ByteBuffer? {
        guard let offset = gateway.pathOffset(ofReference: reference.readableBytesUInt8Span) else { return nil }
        var mapped = ByteBuffer()
        mapped.reserveCapacity(8 + authority.readableBytes + reference.readableBytes)
        mapped.writeStaticString("http://")
        mapped.writeImmutableBuffer(authority)
        var rest = reference
        rest.moveReaderIndex(forwardBy: offset)
        mapped.writeBuffer(&rest)
        return mapped
    }
}
