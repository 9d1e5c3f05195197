/// The reason why `paraph explain` cannot explain a request.
package enum ExplainError: Error, Equatable, Sendable {
    case methodMissing
    case noAbsoluteURL
    case unsignable(SigningError)
    /// Neither a consumer key nor a secret nor a private key.
    case nothingToSignWith
    /// `body` and `body_base64`.
    case twoBodies
    /// A line that is no JSON object.
    case notJSON
    /// A key without which no request is described.
    case keyMissing(String)
    /// A key that means nothing, and the one that it was probably meant to be.
    case keyUnknown(String, meant: String?)
    /// A key whose value is of another type.
    case valueOfOtherType(key: String, expected: String)
}

extension ExplainError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .methodMissing: "The method is empty; give one, such as GET."
        case .noAbsoluteURL: "The URL has no scheme or no host; give it whole, such as https://api.example.com/path."
        case .unsignable(let error): error.description
        case .nothingToSignWith: "There is nothing to sign with; give consumer_key and consumer_secret, or private_key."
        case .twoBodies: "The body is given twice; give either body or body_base64."
        case .notJSON: "The line is not a JSON object."
        case .keyMissing(let key): "The key \(key) is missing."
        case .keyUnknown(let key, let meant?): "The key \(key) is not known; did you mean \(meant)?"
        case .keyUnknown(let key, nil):
            "The key \(key) is not known; the keys are \(BatchLine.CodingKeys.allCases.map(\.rawValue).joined(separator: ", "))."
        case .valueOfOtherType(let key, let expected): "The value of \(key) must be \(expected)."
        }
    }
}
