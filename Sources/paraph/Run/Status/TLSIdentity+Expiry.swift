import FoundationEssentials
import UpstreamTrust
import X509

extension TLSIdentity {
    /// The time at which the first of its certificates expires.
    var expires: Date? { chain.map(\.notValidAfter).min() }
}
