import Testing

@testable import paraph

@Suite("A credential that `paraph verify` lacks")
struct MissingCredentialTests {
    @Test("is told without a character of the other side's that a terminal obeys")
    func printable() {
        let told = MissingCredential.tokenSecret(token: "\u{1b}[31mX\nFAKE\u{9b}\u{202e}").description
        #expect(told.contains(#"the token \u{1b}[31mX\u{a}FAKE\u{9b}\u{202e}, whose"#))
    }
}
