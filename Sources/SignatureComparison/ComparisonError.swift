package import OAuthSigning

/// The reason why nothing can be compared.
package enum ComparisonError: Error, Equatable, Sendable {
    /// Neither an `OAuth` field nor a base string.
    case neitherHeaderNorBaseString
    /// An `OAuth` field that cannot be read.
    case headerMalformed
    /// No `oauth_signature`.
    case signatureAbsent
    case unexplainable(ExplainError)
}

extension ComparisonError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .neitherHeaderNorBaseString:
            "What is compared with is neither an Authorization field (OAuth oauth_consumer_key=\"…\", …) nor a base string "
                + "(METHOD&URI&parameters); give one of them."
        case .headerMalformed:
            "The Authorization field cannot be read; it must be OAuth name=\"value\", name=\"value\", and each value stands "
                + "in quotes."
        case .signatureAbsent: "There is no oauth_signature; give the field, or the request, as it was sent."
        case .unexplainable(let error): error.description
        }
    }
}
