import Bytes
import Credentials
import Files
import ForwardProxy
import NIOPosix
import ParaphConfiguration
import Routing
import Settings
import SystemPackage
import UpstreamTrust
import X509

/// One server and the way to it.
struct PinsTarget {
    let server: Authority
    /// The policy that its chain is judged by.
    var tls: TLSPolicy
    let connectTo: Authority?
    let proxy: UpstreamProxy?
    /// The API that the configuration has for it.
    let api: APISettings?
    /// The files of `--trust`, which the configuration that is proposed names, too.
    var trustFiles: [String] = []
    private let networks: NetworkPolicy
    private let timeouts: ProxyTimeouts

    init(_ server: Authority, api: APISettings?, configuration: Configuration?, way: UpstreamWay) {
        self.server = server
        self.api = api
        tls = api?.tls ?? TLSPolicy()
        connectTo = api?.connectTo
        proxy = way.proxy(configured: api == nil ? configuration?.proxy.upstreamProxy : api?.upstreamProxy)
        networks = configuration?.access.networks ?? .standard
        timeouts = configuration?.proxy.timeouts ?? ProxyTimeouts()
    }

    /// Makes a target for printing: whatever is pinned is of no matter.
    init(
        _ server: Authority,
        configuration: Configuration?,
        trust: [String],
        connectTo: String?,
        way: UpstreamWay
    ) async throws(PinsError) {
        let route = configuration?.proxy.router.apis.route(for: server)
        let api = route.flatMap { configuration?.proxy.apis[$0.index] }
        if let api, api.route.upstreamScheme == .http { throw .clearText(server: server, api: api.name) }
        self.init(server, api: api, configuration: configuration, way: way)
        tls.pinning = []
        if !trust.isEmpty { tls.trust = .certificates(try await Self.roots(trust)) }
        trustFiles = trust
        if let connectTo {
            let other = try PinsError.authority(connectTo, "--connect-to", defaultPort: server.port)
            self = PinsTarget(self, connectTo: other)
        }
    }

    private init(_ target: PinsTarget, connectTo: Authority) {
        server = target.server
        tls = target.tls
        self.connectTo = connectTo
        proxy = target.proxy
        api = target.api
        trustFiles = target.trustFiles
        networks = target.networks
        timeouts = target.timeouts
    }

    func probe() async throws(PinsError) -> ProbedServer {
        let probe = UpstreamProbe(networks: networks, timeouts: timeouts, group: MultiThreadedEventLoopGroup.singleton)
        do {
            return try await probe.probe(server, connectTo: connectTo, tls: tls, upstreamProxy: proxy)
        } catch {
            throw .unreachable(error)
        }
    }

    private static func roots(_ paths: [String]) async throws(PinsError) -> [Certificate] {
        var roots: [Certificate] = []
        for path in paths {
            let bytes: [UInt8]
            do throws(Errno) {
                bytes = try await BlockingWork.run { () throws(Errno) in try FileContents.read(path) }
            } catch {
                throw .unreadableRoots(path: path, reason: error.reason)
            }
            do {
                roots += try PEMCertificates.parse(String(decoding: bytes, as: UTF8.self))
            } catch {
                throw .unreadableRoots(path: path, reason: "\(error)")
            }
        }
        return roots
    }
}

/// The way to a server that `--upstream-proxy` gives.
enum UpstreamWay {
    /// No policy of its own: the configuration decides.
    case configured
    case direct
    case through(UpstreamProxy)

    init(_ option: String?) throws(PinsError) {
        guard let option else {
            self = .configured
            return
        }
        guard option != "off" else {
            self = .direct
            return
        }
        do {
            self = .through(try UpstreamProxy(url: option))
        } catch {
            throw .proxy(error)
        }
    }

    func proxy(configured: UpstreamProxy?) -> UpstreamProxy? {
        switch self {
        case .configured: configured
        case .direct: nil
        // The address may be written without the credentials and the roots that the configuration has for it.
        case .through(let proxy): proxy.url == configured?.url ? configured : proxy
        }
    }
}
