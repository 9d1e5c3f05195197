package import Routing

/// Which hosts of an API are pinned, and to what.
package struct HostPinning: Sendable {
    /// Empty: every host that no other entry names.
    package var hosts: [HostPattern]
    /// nil: these hosts are not pinned, and that is meant (`mode: none`).
    package var policy: PinningPolicy?

    package init(hosts: [HostPattern] = [], policy: PinningPolicy?) {
        self.hosts = hosts
        self.policy = policy
    }
}
