import HTTP1Codec
import NIOCore
import Routing

/// As much of a CONNECT request as the decision upon it takes, so that it can be taken again.
struct ConnectMessage {
    private let target: ByteBuffer
    private let proxyAuthorization: ByteBuffer?

    init(_ head: RequestHead) {
        // Copies: the head's own bytes are a slice of a larger buffer.
        target = ByteBuffer(bytes: head.target.readableBytesView)
        proxyAuthorization = head.fields.value(of: .proxyAuthorization).map { ByteBuffer(bytes: $0.readableBytesView) }
    }

    func decision(by router: Router) -> ConnectDecision {
        router.decide(connect: target, proxyAuthorization: proxyAuthorization)
    }
}
