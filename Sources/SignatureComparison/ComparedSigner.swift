import OAuthSigning

/// The facts known of the other side: what it sent, or the base string it had.
package enum ComparedSigner: Sendable {
    case sent(SentSignature)
    case baseString(StatedBaseString)

    /// - Parameter text: The value of an `Authorization` field, with or without the field's name, or a base string.
    package init(_ text: String) throws(ComparisonError) {
        let bytes = Array(text.utf8)
        if let sent = try SentSignature(authorization: bytes) {
            self = .sent(sent)
        } else if let stated = StatedBaseString(bytes) {
            self = .baseString(stated)
        } else {
            throw .neitherHeaderNorBaseString
        }
    }
}
