/// The setting that gives a secret, and the file that the secret is in.
package struct SecretPlace: Hashable, Sendable {
    /// The setting's place in the configuration file.
    package var position: SourcePosition
    /// The setting, like `apis.twitter.oauth1.consumer_secret`.
    package var setting: String
    /// The path of the file that it is in; nil: it is written in the configuration itself.
    package var file: String?
}
