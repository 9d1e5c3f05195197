import Routing

extension Preset {
    /// The provider that one of these hosts is known to be of.
    static func owning(_ hosts: [HostPattern]) -> Preset? {
        if hosts.contains(where: { $0.netSuiteAccount != nil }) { return netSuite }
        let names = Set(hosts.map(\.description))
        return all.first { preset in preset.hosts.contains(where: names.contains) }
    }
}
