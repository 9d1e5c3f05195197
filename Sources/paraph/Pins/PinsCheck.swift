import ArgumentParser
import Bytes
import ForwardProxy
import FoundationEssentials
import ParaphConfiguration
import Routing
import Settings
import UpstreamTrust

/// Tests the configured pins, one server after the other, and prints a line for each.
struct PinsCheck {
    let configuration: Configuration
    let servers: [CheckedServer]

    enum Verdict: String {
        case passes = "ok"
        case isNotPinned = "not pinned"
        case lacksBackup = "no backup"
        case isRefused = "refused"
        case isUnreachable = "unreachable"
        case isLeftOut = "left out"
    }

    /// - Throws: The exit code, when not all pass.
    func run() async throws(ExitCode) {
        var verdicts: Set<String> = []
        for server in servers {
            let (verdict, line, detail) = await test(server)
            verdicts.insert(verdict.rawValue)
            StandardOutput.print("\(verdict.rawValue): \(line)")
            if let detail {
                StandardOutput.print(detail.split(separator: "\n").map { "    \($0)\n" }.joined(), terminator: "")
            }
        }
        if verdicts.contains(Verdict.isRefused.rawValue) { throw .refused }
        if verdicts.contains(Verdict.isUnreachable.rawValue) { throw .unavailable }
    }

    func test(_ server: CheckedServer) async -> (Verdict, line: String, detail: String?) {
        switch server {
        case .wildcard(let pattern, let api):
            return (.isLeftOut, "\(pattern) (apis.\(api)): name one of its hosts, `paraph pins --check HOST`", nil)
        case .server(let target):
            let name = "\(target.server) (apis.\(target.api?.name ?? ""))"
            do throws(PinsError) {
                switch try await target.probe().decision {
                case .refused(let failure):
                    return (.isRefused, "\(name): \(failure.sentence)", explain(failure))
                case .accepted(let accepted):
                    return judge(accepted, target: target, name: name)
                }
            } catch {
                return (.isUnreachable, "\(name): \(error)", nil)
            }
        }
    }

    private func judge(
        _ accepted: AcceptedPath,
        target: PinsTarget,
        name: String
    ) -> (Verdict, line: String, detail: String?) {
        if let failure = accepted.reported {
            let policy = "requests are sent all the same (on_failure or on_expiry is report)"
            return (.isRefused, "\(name): \(policy): \(failure.sentence)", explain(failure))
        }
        guard let pinning = target.tls.pinning(for: target.server) else {
            return (.isNotPinned, "\(name): the chain is valid", nil)
        }
        if accepted.lacksBackupPin {
            let line = "\(name): the pins match, and all of them are on the chain; add one that is not, for the day on "
            return (.lacksBackup, line + "which its keys change (`paraph pins \(target.server)` says how)", nil)
        }
        return (.passes, "\(name): the pins match (\(pinning.mode.rawValue))", nil)
    }

    /// The chain, the pins and what to do; the sentence is in the line above.
    private func explain(_ failure: TrustFailure) -> String {
        failure.detail.split(separator: "\n").dropFirst().joined(separator: "\n") + "\n" + failure.reason.remedy
    }
}

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
