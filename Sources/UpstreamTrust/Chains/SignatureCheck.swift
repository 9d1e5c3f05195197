import X509

/// Which certificates were signed by which, each pair verified once, and a number of pairs for one decision.
struct SignatureCheck {
    private var budget: SearchBudget
    private var answers: [Pair: Bool] = [:]

    /// The indices of two members.
    private struct Pair: Hashable {
        var subject: Int
        var issuer: Int
    }

    init(maximum: Int) {
        budget = SearchBudget(maximum)
    }

    /// There were more pairs than are verified.
    var isExceeded: Bool { budget.isExceeded }

    /// Returns whether one member's signature was made by another's key; false where too many have been verified.
    mutating func isValid(_ subject: Int, signedBy issuer: Int, of members: [PathMember]) -> Bool {
        let pair = Pair(subject: subject, issuer: issuer)
        if let known = answers[pair] { return known }
        guard budget.take(1) == 1 else { return false }
        let certificate = members[subject].certificate
        let answer = members[issuer].certificate.publicKey.isValidSignature(certificate.signature, for: certificate)
        answers[pair] = answer
        return answer
    }
}
