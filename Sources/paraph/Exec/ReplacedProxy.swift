import Bytes
import FoundationEssentials
import Routing

/// The proxy that the environment names before a command gets another one.
enum ReplacedProxy {
    /// The variable that names it; nil when there is none, or it is on this machine: then it is most likely another
    /// Paraph.
    static func name(in environment: [String: String]) -> String? {
        ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].first { name in
            guard let value = environment[name], !value.isEmpty else { return false }
            let address = value.split(separator: "/").first { !$0.hasSuffix(":") } ?? ""
            let place = address.split(separator: "@").last.map(String.init) ?? ""
            guard let authority = try? Authority(parsing: place, defaultPort: 80) else { return true }
            return !(IPAddress(authority.host)?.isLoopback ?? (authority.host == "localhost"))
        }
    }
}
