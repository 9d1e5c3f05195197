/// The treatment of hosts that belong to no API.
package struct OtherHosts: Hashable, Sendable {
    /// The treatment of those that are not named.
    package enum Treatment: String, Hashable, Sendable, CaseIterable {
        /// CONNECT gets a blind tunnel; an absolute-form `http://` request is passed on unsigned.
        case tunnel
        case refuse
    }

    package static let tunnel = OtherHosts(else: .tunnel)
    package static let refuse = OtherHosts(else: .refuse)

    /// The hosts that are reached whatever becomes of the others.
    package let allowed: [HostPattern]
    package let treatment: Treatment

    package init(allowing allowed: [HostPattern] = [], else treatment: Treatment) {
        self.allowed = allowed
        self.treatment = treatment
    }

    /// A pattern without a port is for every port, of which others decide.
    func admits(_ authority: Authority) -> Bool {
        treatment == .tunnel
            || allowed.contains { pattern in
                pattern.port ?? authority.port == authority.port && pattern.name.matches(authority)
            }
    }
}
