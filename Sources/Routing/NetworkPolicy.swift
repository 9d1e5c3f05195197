/// Which addresses may be connected to, whatever name resolved to them.
package struct NetworkPolicy: Hashable, Sendable {
    package var denied: [IPNetwork]
    /// Exceptions to `denied`.
    package var allowed: [IPNetwork]

    package init(denied: [IPNetwork], allowed: [IPNetwork] = []) {
        self.denied = denied
        self.allowed = allowed
    }

    /// An address that stands for others is denied where one of them is: see ``IPAddress/meanings``.
    package func permits(_ address: IPAddress) -> Bool {
        allows(address) || address.meanings.allSatisfy { !denies($0) || allows($0) }
    }

    private func denies(_ address: IPAddress) -> Bool { denied.contains { $0.contains(address) } }

    private func allows(_ address: IPAddress) -> Bool { allowed.contains { $0.contains(address) } }
}
