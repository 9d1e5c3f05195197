/// Whom the provider knows at the start.
package struct ProviderSettings: Sendable {
    /// Named in the challenges of its refusals.
    package var realm: String
    package var clients: [RegisteredClient]
    /// Tokens issued by hand. A token that a client got by an exchange comes on top.
    package var tokens: [AcceptedToken]
    /// How many seconds a timestamp may be away from the provider's clock.
    package var timestampTolerance: UInt64

    package init(
        realm: String,
        clients: [RegisteredClient],
        tokens: [AcceptedToken] = [],
        timestampTolerance: UInt64 = 300
    ) {
        self.realm = realm
        self.clients = clients
        self.tokens = tokens
        self.timestampTolerance = timestampTolerance
    }
}
