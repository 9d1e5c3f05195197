/// All deviations that are tried for one request, the likelier ones first.
struct DeviationCatalogue: Sendable {
    let request: ComparedRequest
    /// The right way to sign it, with the other side's protocol parameters.
    let reference: SigningRecipe
    /// The protocol parameters that we would send.
    let own: [ProtocolParameter]
    /// The token's secret, where the right key has none.
    let unusedTokenSecret: Secret?
    /// The `oauth_signature` that was signed, if any was: empty where it cannot be known.
    var signedSignature: [UInt8] = []
    /// The realms that may have been signed.
    let realms: [String]

    /// Where two come to the same for a request, the first of them is named: what is likelier, or more to the point.
    var all: [Deviation] {
        sourceDeviations + duplicateDeviations + emptyDeviations
            + authorityDeviations
            + keyDeviations
            + spaceDeviations + digitDeviations + reservedDeviations + unreservedDeviations + formDeviations
            + spelledDeviations + readingDeviations + missingDeviations + otherReservedDeviations + repeatedDeviations
            + orderDeviations
            + unsignedDeviations + addedDeviations
            + pathDeviations + methodDeviations
    }

    /// Too many to be tried in twos.
    var single: [Deviation] { timestampDeviations + droppedDeviations }

    /// Whether the form in the body is signed, parameter by parameter.
    var signsForm: Bool { reference.parameters.contains { $0.origin == .form } }
}
