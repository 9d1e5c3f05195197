package import OAuthSigning

/// The secrets of a client's request, which the provider's answer may repeat.
package struct RequestSecrets: Sendable {
    package var values: [Secret]
    /// The secrets that are so short that they count only where they stand by themselves.
    package var words: [Secret]
    /// Indicates whether all of them are known; otherwise nothing of what the provider said is shown.
    package var areAllKnown: Bool

    package init(values: [Secret] = [], words: [Secret] = [], areAllKnown: Bool = true) {
        self.values = values
        self.words = words
        self.areAllKnown = areAllKnown
    }
}
