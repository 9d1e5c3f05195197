/// The treatment of hosts that belong to no API.
package enum OtherHosts: String, Hashable, Sendable, CaseIterable {
    /// CONNECT gets a blind tunnel; an absolute-form `http://` request is passed on unsigned.
    case tunnel
    case refuse
}
