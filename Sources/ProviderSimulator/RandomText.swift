/// Text that cannot be guessed, for tokens and secrets.
package enum RandomText {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")

    package static func alphanumeric(count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return String((0..<count).compactMap { _ in alphabet.randomElement(using: &generator) })
    }
}
