/// The revocation lists that a validated path is held against. Nothing is fetched.
package struct RevocationPolicy: Sendable {
    package var lists: [RevocationList]
    /// The action for a certificate on a path, other than the root, where there is no list of its issuer, or none that
    /// is valid at the time.
    package var onMissing: RevocationAction

    package init(lists: [RevocationList], onMissing: RevocationAction) {
        self.lists = lists
        self.onMissing = onMissing
    }
}

/// The action for a certificate of which no current revocation list tells.
package enum RevocationAction: String, CaseIterable, Sendable {
    case accept
    case refuse
}
