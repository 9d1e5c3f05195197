package import Settings

/// The settings of the admin listener by the configuration. May change while it listens.
package struct AdminSettings: Sendable {
    /// Nil: it is off.
    package var listener: AdminListenerSettings?
    /// The local CA's certificate, which clients have to trust.
    package var authorityPEM: String

    package init(listener: AdminListenerSettings?, authorityPEM: String) {
        self.listener = listener
        self.authorityPEM = authorityPEM
    }
}
