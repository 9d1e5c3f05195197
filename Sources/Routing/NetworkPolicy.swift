/// Which addresses may be connected to, whatever name resolved to them.
package struct NetworkPolicy: Hashable, Sendable {
    package var denied: [IPNetwork]
    /// Exceptions to `denied`.
    package var allowed: [IPNetwork]

    package init(denied: [IPNetwork], allowed: [IPNetwork] = []) {
        self.denied = denied
        self.allowed = allowed
    }

    package func permits(_ address: IPAddress) -> Bool {
        !denied.contains { $0.contains(address) } || allowed.contains { $0.contains(address) }
    }
}
