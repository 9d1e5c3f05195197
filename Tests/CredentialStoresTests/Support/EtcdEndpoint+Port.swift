import Bytes
import Settings

@testable import Routing

extension EtcdEndpoint {
    /// A server without TLS; without a host, one of this machine.
    init(host: String = "127.0.0.1", port: Int) {
        self.init(scheme: .http, authority: Authority(canonicalHost: host, port: port))
    }
}
