/// What is known of the other side: what it sent, or the base string it had.
package enum ComparedSigner: Sendable {
    case sent(SentSignature)
    case baseString(StatedBaseString)

    /// - Parameter text: the value of an `Authorization` field, with or without the field's name, or a base string.
    package init(_ text: String) throws(ComparisonError) {
        let octets = Array(text.utf8)
        if let sent = try SentSignature(authorization: octets) {
            self = .sent(sent)
        } else if let stated = StatedBaseString(octets) {
            self = .baseString(stated)
        } else {
            throw .neitherHeaderNorBaseString
        }
    }
}
