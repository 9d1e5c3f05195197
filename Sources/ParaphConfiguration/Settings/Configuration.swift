import Bytes
package import Credentials
package import OAuthSigning
package import Routing
import UpstreamTrust

/// Everything the configuration file says, validated, with defaults filled in. Paths are relative to the process's
/// working directory or absolute, never to the file.
package struct Configuration: Sendable {
    /// The file it was read from, as it was named.
    package var file: String
    package var listen: ListenSettings
    /// The directory in which the proxy keeps what has no path of its own.
    package var stateDirectory: String
    package var authority: AuthorityPaths
    package var vault: VaultSettings
    /// The rules for who may use the proxy, and which API serves which host. The routes are those of `apis`, in the
    /// same order.
    package var router: Router
    /// In the order of the file.
    package var apis: [APIConfiguration]
    /// The proxy that connections to hosts of no API are made through; each API has its own.
    package var upstreamProxy: UpstreamProxy?
    package var http2: HTTP2Use
    /// Nil: nobody can enrol. `Target.api` counts `apis`.
    package var enrolment: EnrolmentSettings?
    package var limits: Limits
    package var timeouts: Timeouts
    package var log: LogSettings
    /// The environment variables that hold the file's secrets: what a child process must not inherit.
    package var secretVariables: Set<String>
    /// In the order of the file's lines.
    package var advice: [Advice]
}

extension Configuration {
    /// Warnings of what is probably not meant, or will probably not work, `FILE:LINE:COLUMN: warning: message` each.
    package var warnings: [String] {
        advice.filter { $0.severity == .warning }.map { $0.line(file: file) }
    }

    package var access: AccessPolicy { router.access }

    /// The token that the admin listener asks for; nil: none, and it is on loopback.
    package var adminToken: Secret? { listen.adminToken ?? enrolment?.token }

    /// Every address that is listened on.
    package var listenAddresses: [ListenAddress] {
        [listen.proxy] + (listen.admin.map { [$0] } ?? []) + apis.compactMap(\.gateway?.address)
    }

    /// Every verification that the file switches off, a sentence each, for a summary. Each is a warning too, which has
    /// its line.
    package var switchedOff: [String] {
        apis.compactMap { api in
            api.tls.verifiesHostname || api.route.upstreamScheme == .http
                ? nil : "apis.\(api.name).tls.verify_hostname is off: any host's valid certificate is accepted"
        }
            + apis.flatMap { api in
                api.tls.pinning.filter { $0.policy?.onFailure == .report }.map { pinning in
                    let hosts = pinning.hosts.map { " for \($0)" }.joined(separator: ",")
                    return "apis.\(api.name).tls.pinning\(hosts) has on_failure: report: servers without a pin are used"
                }
            }
            + apis.compactMap { api in
                api.route.upstreamScheme == .https
                    ? nil : "apis.\(api.name).upstream is http: requests to it travel in clear text, unverified"
            }
    }
}

extension Configuration {
    /// One line that says what the file configures.
    package var summary: String {
        let accounts = apis.reduce(0) { $0 + $1.accounts.count }
        let access = router.access
        let clients = access.clients.isEmpty ? "no clients listed" : count(access.clients.count, "client")
        let listeners = [
            "proxy on \(listen.proxy)",
            listen.admin.map { "admin on \($0)" } ?? "admin off",
        ]
        let gateways = apis.compactMap { api in api.gateway.map { "gateway of \(api.name) on \($0.address)" } }
        let enrolled = enrolment.map { settings in
            let names = settings.targets.sorted { $0.key.rawValue < $1.key.rawValue }.map { apis[$0.value.api].name }
            return ", enrolment into \(names.joined(separator: ", "))"
        }
        let off = switchedOff.isEmpty ? "" : "; \(switchedOff.joined(separator: "; "))"
        return "\(file): good: \(count(apis.count, "API")), \(count(accounts, "account")), \(clients), "
            + "\((listeners + gateways).joined(separator: ", "))\(enrolled ?? "")\(off)"
    }

    private func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
