import FoundationEssentials
import Routing
import UpstreamTrust
import X509

extension ChainVerifier {
    func verify(
        presented: [Certificate],
        serverName: ServerName,
        pinning: PinningPolicy?,
        at time: Date
    ) async throws -> TrustDecision {
        await verify(
            presentedDER: try presented.map { try Bytes.of($0) },
            serverName: serverName,
            pinning: pinning,
            at: time
        )
    }
}
