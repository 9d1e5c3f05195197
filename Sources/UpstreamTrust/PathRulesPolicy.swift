import SwiftASN1
import X509

/// ``PathRules`` as a part of the search: a path that fails them is passed over for another one that may not.
struct PathRulesPolicy: VerifierPolicy, Sendable {
    let serverName: ServerName?
    let pinning: PinningPolicy?

    /// The alternative names are understood also when the policy says not to compare them.
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.extendedKeyUsage, .X509ExtensionID.subjectAlternativeName,
    ]

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) async -> PolicyEvaluationResult {
        guard let reason = self.firstFailure(Array(chain)) else { return .meetsPolicy }
        return .failsToMeetPolicy(reason: reason.label)
    }

    private func firstFailure(_ path: [Certificate]) -> TrustFailureReason? {
        if let reason = PathRules.signatures(path) { return reason }
        if let reason = PathRules.authorities(path) { return reason }
        if let reason = PathRules.purpose(path) { return reason }
        if let serverName, let reason = PathRules.names(path, serverName: serverName) { return reason }
        if let pinning, let reason = PathRules.pins(path, policy: pinning) { return reason }
        return nil
    }
}
