import Bytes
import Credentials
package import Files
package import Routing
package import Settings
import UpstreamTrust

/// Everything the configuration file says, validated, with defaults filled in. Paths are relative to the process's
/// working directory or absolute, never to the file.
package struct Configuration: Sendable {
    /// The file it was read from, as it was named.
    package var file: String
    /// The settings of the proxy. Its APIs are in the order of the file.
    package var proxy: ProxySettings
    /// The admin listener; nil when it is off.
    package var admin: AdminListenerSettings?
    /// The directory in which the proxy keeps what has no path of its own.
    package var stateDirectory: String
    package var authority: AuthorityPaths
    package var vault: VaultSettings
    package var log: LogSettings
    /// Indicates whether the latest requests are kept for the inspector though nobody looks on (`inspector.keep`).
    package var keepsRequests: Bool
    /// The environment variables that hold the file's secrets: what a child process must not inherit.
    package var secretVariables: Set<String>
    /// The secrets that are written in files, this one or others, in no order.
    package var secretPlaces: [SecretPlace]
    /// The files that it names, as they were when they were read: a change of one takes a reload.
    ///
    /// Its own file and those of the local CA are among them where the kubelet mounts them. Anywhere else somebody
    /// edits the former, and renews the latter, who says when that is to count. The vault's key is not: the vault sees
    /// by itself that it is another one.
    package var watchedFiles: [SeenFile]
    /// The marks by which it is told what another configuration has changed.
    package var marks: SettingMarks
    /// The advice, in the order of the file's lines.
    package var advice: [Advice]
}

extension Configuration {
    /// The advice on what does not work, is probably not meant, or will probably not work.
    package var warnings: [Advice] { advice.filter { $0.severity != .note } }

    /// The rules for who may use the proxy, and for what.
    package var access: AccessPolicy { proxy.router.access }

    /// Every address that is listened on.
    package var listenAddresses: [ListenAddress] {
        [proxy.address] + (admin.map { [$0.address] } ?? []) + proxy.apis.compactMap(\.gateway?.address)
    }

    /// Every listener, by the name that a socket for it is passed by.
    package var listeners: [InheritedSockets.Listener] {
        [InheritedSockets.Listener(name: "proxy", address: proxy.address)]
            + (admin.map { [InheritedSockets.Listener(name: "admin", address: $0.address)] } ?? [])
            + proxy.apis.compactMap { api in
                api.gateway.map { InheritedSockets.Listener(name: api.name, address: $0.address) }
            }
    }

    /// Every verification that the file switches off, a sentence each, for a summary. Each is a warning too, which has
    /// its line.
    package var switchedOff: [String] {
        proxy.apis.compactMap { api in
            api.tls.verifiesHostname || api.route.upstreamScheme == .http
                ? nil : "apis.\(api.name).tls.verify_hostname is off: any host's valid certificate is accepted"
        }
            + proxy.apis.flatMap { api in
                api.tls.pinning.filter { $0.policy?.onFailure == .report }.map { pinning in
                    let hosts = pinning.hosts.map { " for \($0)" }.joined(separator: ",")
                    return "apis.\(api.name).tls.pinning\(hosts) has on_failure: report: servers without a pin are used"
                }
            }
            + proxy.apis.compactMap { api in
                api.route.upstreamScheme == .https
                    ? nil : "apis.\(api.name).upstream is http: requests to it travel in clear text, unverified"
            }
    }
}

extension Configuration {
    /// One line that says what the file configures.
    package var summary: String {
        let accounts = proxy.apis.reduce(0) { $0 + $1.accounts.count }
        let access = access
        let clients = access.clients.isEmpty ? "no clients listed" : count(access.clients.count, "client")
        let listeners = [
            "proxy on \(proxy.address)\(proxy.identity == nil ? "" : " by TLS")",
            admin.map { "admin on \($0.address)" } ?? "admin off",
        ]
        let gateways = proxy.apis.compactMap { api in api.gateway.map { "gateway of \(api.name) on \($0.address)" } }
        let enrolled = proxy.enrolment.map { settings in
            let names = settings.targets.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                proxy.apis[$0.value.api].name
            }
            return ", enrolment into \(names.joined(separator: ", "))"
        }
        let off = switchedOff.isEmpty ? "" : "; \(switchedOff.joined(separator: "; "))"
        return "\(file): good: \(count(proxy.apis.count, "API")), \(count(accounts, "account")), \(clients), "
            + "\((listeners + gateways).joined(separator: ", "))\(enrolled ?? "")\(off)"
    }

    private func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}

/// The place of the local certification authority: PEM files, made at first start.
package struct AuthorityPaths: Hashable, Sendable {
    package var certificate: String
    package var privateKey: String
    /// Indicates whether the files are a copy of what the proxies of a vault in etcd share.
    package var isShared = false
}
