import Bytes
import Credentials
import ForwardProxy
import NIOCore
import NIOPosix
import ParaphConfiguration
import Routing
import Settings

/// The APIs' servers: their names, their certificates and pins, and their clocks.
struct UpstreamExamination {
    let configuration: Configuration

    // MARK: Names

    func tellNames(_ tell: ([Finding]) -> Void) async {
        for (host, port) in names() {
            guard !Task.isCancelled else { return }
            let addresses = await Self.resolve(host, port: port)
            guard !addresses.isEmpty else {
                let words = "\(host) does not resolve"
                tell([Finding("name", .fails, words, remedy: "getent hosts \(host)   # then /etc/resolv.conf")])
                continue
            }
            let denied = addresses.filter { !configuration.access.networks.permits($0) }
            let texts = addresses.map { "\($0)" }.joined(separator: ", ")
            if denied.count == addresses.count {
                let remedy = "access: {allowed_networks: [\(denied.map { "\($0)" }.joined(separator: ", "))]}"
                let words = "\(host) is at \(texts), which access.denied_networks denies"
                tell([Finding("name", .fails, words, remedy: remedy)])
            } else {
                tell([Finding("name", .works, "\(host) is at \(texts)")])
            }
        }
    }

    /// Returns the names that this machine has to resolve, and cannot.
    func unresolvedNames() async -> [String] {
        var unresolved: [String] = []
        for (host, port) in names() where await Self.resolve(host, port: port).isEmpty {
            unresolved.append(host)
        }
        return unresolved
    }

    /// Returns the addresses of a name; none when it does not resolve.
    private static func resolve(_ host: String, port: Int) async -> [IPAddress] {
        let addresses = await BlockingWork.run { SystemAddresses.of(host, port: port) }
        return addresses.compactMap { $0.ipAddress.flatMap { IPAddress($0) } }
    }

    /// Returns each name that this machine has to resolve, once.
    private func names() -> [(host: String, port: Int)] {
        var names: [(host: String, port: Int)] = []
        func add(_ host: String, _ port: Int) {
            guard IPAddress(host) == nil, !names.contains(where: { $0.host == host }) else { return }
            names.append((host, port))
        }
        for api in configuration.proxy.apis {
            if let proxy = api.upstreamProxy {
                add(proxy.host, proxy.port)
            } else if let target = api.connectTo {
                add(target.host, target.port)
            } else {
                for server in api.route.exactHosts { add(server.host, server.port) }
            }
        }
        return names
    }

    // MARK: Certificates

    func tellCertificates(_ tell: ([Finding]) -> Void) async {
        let servers: [CheckedServer]
        do throws(PinsError) {
            servers = try CheckedServer.all(in: configuration, host: nil, way: .configured)
        } catch {
            return tell([Finding("certificates", .fails, "\(error)")])
        }
        let check = PinsCheck(configuration: configuration, servers: servers)
        for server in servers {
            guard !Task.isCancelled else { return }
            let (verdict, line, detail) = await check.test(server)
            tell([finding(verdict, line, detail, server)])
        }
    }

    private func finding(
        _ verdict: PinsCheck.Verdict,
        _ line: String,
        _ detail: String?,
        _ server: CheckedServer
    ) -> Finding {
        let words = [line, detail].compactMap { $0 }.joined(separator: "\n")
        let option = "--config \(shellQuoted(configuration.file))"
        guard case .server(let target) = server else { return Finding("certificates", .leftOut, words) }
        return switch verdict {
        case .passes, .isNotPinned: Finding("certificates", .works, words)
        case .isLeftOut: Finding("certificates", .leftOut, words)
        case .lacksBackup: Finding("certificates", .warns, words, remedy: "paraph pins \(target.server) \(option)")
        case .isRefused:
            Finding(
                "certificates",
                .fails,
                words,
                remedy: "paraph pins \(target.server) \(option)   # if the provider says that its keys are new"
            )
        case .isUnreachable: Finding("certificates", .fails, words)
        }
    }

    // MARK: Clocks

    /// One unsigned request to each API: its answer's `Date` tells the time.
    func tellClocks(_ tell: ([Finding]) -> Void) async {
        let client: ProviderClient
        do {
            client = try await ProviderClient(
                apis: configuration.proxy.apis,
                networks: configuration.access.networks,
                timeouts: configuration.proxy.timeouts,
                group: MultiThreadedEventLoopGroup.singleton
            )
        } catch {
            return tell([Finding("clock", .fails, "\(error)")])
        }
        for (index, api) in configuration.proxy.apis.enumerated() {
            guard !Task.isCancelled else { return }
            guard let server = api.route.exactHosts.first,
                let request = ExchangeRequest(getting: "\(api.route.upstreamScheme)://\(server)/", step: "clock")
            else { continue }
            do throws(ExchangeFailure) {
                let answer = try await client.send(request, api: index)
                let offset = ClockOffset.read(answer, now: SystemClock.shared.coarseWallSeconds)
                tell([Finding(clockOf: "\(server)", offset: offset, isFollowed: api.followsClock)])
            } catch {
                tell([Finding("clock", .leftOut, "\(server) did not tell the time: \(error.words)")])
            }
        }
    }
}

extension APISettings {
    /// Indicates whether the provider's clock is followed when it refuses a timestamp, or none is sent.
    fileprivate var followsClock: Bool {
        if case .oauth1(let settings) = scheme { settings.correctsClock } else { true }
    }
}

extension APIRoute {
    /// The hosts that are no wildcards.
    var exactHosts: [Authority] {
        hosts.compactMap { pattern in
            guard case .exact = pattern.name else { return nil }
            return try? Authority(parsing: "\(pattern)", defaultPort: upstreamScheme.defaultPort)
        }
    }
}
