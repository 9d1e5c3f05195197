/// A further protocol parameter of one request, not encoded: `oauth_callback`, `oauth_verifier`, `x_auth_mode`…
package struct ProtocolParameter: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
