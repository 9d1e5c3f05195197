/// An account of an API: who requests are signed as.
package struct AccountSettings: Sendable {
    package var name: String
    package var source: TokenSource
    /// The account's own client credentials and way of signing, where they differ from the API's.
    package var oauth1: OAuth1Settings?

    package init(name: String, source: TokenSource, oauth1: OAuth1Settings? = nil) {
        self.name = name
        self.source = source
        self.oauth1 = oauth1
    }
}
