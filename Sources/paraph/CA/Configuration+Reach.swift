import LocalAuthority
import ParaphConfiguration
import Routing
import Settings

extension Configuration {
    /// The names that the local CA has to sign for: the hosts of the APIs, and nothing else.
    var reach: AuthorityReach { AuthorityReach(hosts: proxy.apis.flatMap(\.route.hosts)) }
}
