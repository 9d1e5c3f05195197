/// The user a token stands for.
package struct ProviderUser: Sendable, Equatable {
    package var id: String
    package var screenName: String

    package init(id: String, screenName: String) {
        self.id = id
        self.screenName = screenName
    }
}
