/// Text that cannot be guessed, for tokens and secrets.
package enum RandomText {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")

    package static func alphanumeric(count: Int) -> String { text(of: alphabet, count: count) }

    static func digits(count: Int) -> String { text(of: Array("0123456789"), count: count) }

    private static func text(of alphabet: [Character], count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return String((0..<count).compactMap { _ in alphabet.randomElement(using: &generator) })
    }
}
