extension ThreeLeggedRules {
    /// Nil for OAuth 1.0, which has none.
    func makeVerifier() -> String? {
        switch (version, verifier) {
        case (.oauth1_0, _): nil
        case (.oauth1_0a, .digits(let count)): RandomText.digits(count: count)
        case (.oauth1_0a, .alphanumeric(let count)): RandomText.alphanumeric(count: count)
        }
    }
}
