import Bytes
import ParaphConfiguration
import Routing
import Settings
import UpstreamTrust

/// A host of the configuration, as far as its pins can be tested.
enum CheckedServer {
    case server(PinsTarget)
    /// A wildcard stands for servers whose names are not known.
    case wildcard(HostPattern, api: String)

    /// Every host of every API that speaks TLS, in the order of the file; or one server.
    static func all(
        in configuration: Configuration,
        host: Authority?,
        way: UpstreamWay
    ) throws(PinsError) -> [CheckedServer] {
        if let host {
            guard let route = configuration.proxy.router.apis.route(for: host) else {
                throw .noAPI(server: host, file: configuration.file)
            }
            let api = configuration.proxy.apis[route.index]
            guard api.route.upstreamScheme == .https else { throw .clearText(server: host, api: api.name) }
            return [.server(PinsTarget(host, api: api, configuration: configuration, way: way))]
        }
        return configuration.proxy.apis.filter { $0.route.upstreamScheme == .https }.flatMap { api in
            api.route.hosts.map { pattern in
                guard case .exact = pattern.name,
                    let server = try? Authority(parsing: "\(pattern)", defaultPort: URIScheme.https.defaultPort)
                else { return .wildcard(pattern, api: api.name) }
                return .server(PinsTarget(server, api: api, configuration: configuration, way: way))
            }
        }
    }
}
