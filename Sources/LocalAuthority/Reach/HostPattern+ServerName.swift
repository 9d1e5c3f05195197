import Routing
import UpstreamTrust

extension HostPattern {
    /// The host, or what follows a wildcard's star.
    var serverName: ServerName {
        switch name {
        case .exact(let host): ServerName(host: host)
        case .wildcard(let suffix): .dns(suffix)
        }
    }

    var isWildcard: Bool {
        switch name {
        case .exact: false
        case .wildcard: true
        }
    }
}
