import HTTP1Codec
import NIOCore
import Routing

/// The properties of a request to a gateway that its way on, and its response's way back, depend on.
final class GatewayRequest {
    private static let mapped: KnownFieldSet = [.location, .contentLocation, .setCookie]

    let gateway: Gateway
    /// The gateway as the client named it.
    private let authority: ByteBuffer
    private let mapsResponses: Bool
    /// Indicates whether the client's Authorization field was for the proxy, and goes no further.
    let consumesAuthorization: Bool

    init(gateway: Gateway, authority: ByteBuffer, mapsResponses: Bool, consumesAuthorization: Bool) {
        self.gateway = gateway
        self.authority = authority
        self.mapsResponses = mapsResponses
        self.consumesAuthorization = consumesAuthorization
    }

    /// The response as the gateway's client is to see it: what points at the upstream points at the gateway.
    func map(_ response: ResponseHead) -> ResponseHead {
        guard mapsResponses, !response.fields.present.isDisjoint(with: Self.mapped) else { return response }
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

@available(*, unavailable)
extension GatewayRequest: Sendable {}
