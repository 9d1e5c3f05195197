import LocalAuthority
import ParaphConfiguration
import Routing

extension Configuration {
    /// The names that the local CA has to sign for: the hosts of the APIs, and nothing else.
    var reach: AuthorityReach { AuthorityReach(hosts: apis.flatMap(\.route.hosts)) }
}
