import Bytes
import Credentials
import Logging
import NIOCore
import OAuthSigning
import ParaphConfiguration
import Routing
import Settings
import Testing
import UpstreamTrust

@Suite("Defaults")
struct DefaultsTests {
    private let configuration: Configuration

    init() throws {
        configuration = try Configuration.read(
            Array(Minimal.yaml.utf8),
            file: "/etc/paraph/paraph.yaml",
            environment: [:]
        )
    }

    @Test("of what surrounds the APIs are the documented ones")
    func surroundings() throws {
        #expect(configuration.proxy.address == ListenAddress(host: "127.0.0.1", port: 8080))
        #expect(configuration.admin?.address == ListenAddress(host: "127.0.0.1", port: 8081))
        #expect(configuration.authority.certificate == "/etc/paraph/state/ca.pem")
        #expect(configuration.authority.privateKey == "/etc/paraph/state/ca.key")
        guard
            case .directory(path: "/etc/paraph/state/vault", key: .file("/etc/paraph/state/vault.key")) =
                configuration.vault
        else {
            Issue.record("\(configuration.vault)")
            return
        }
        #expect(configuration.access.clients.isEmpty)
        #expect(configuration.access.otherHosts == .tunnel)
        #expect(configuration.access.connectPorts == [443])
        #expect(configuration.access.networks == NetworkPolicy.standard)
        #expect(
            configuration.access.networks.denied.map(\.description) == [
                "169.254.0.0/16", "fe80::/10", "fd00:ec2::254/128", "100.100.100.200/32", "168.63.129.16/32",
                "fd20:ce::254/128", "fd00:c1::a9fe:a9fe/128", "192.0.0.192/32",
            ]
        )
        #expect(configuration.access.plainPorts == [80])
        #expect(configuration.access.otherHostsNetworks == configuration.access.networks)
        #expect(configuration.proxy.limits.connections == 10_000)
        #expect(configuration.proxy.limits.header == 65_536)
        #expect(configuration.proxy.limits.pooledPerHost == 64)
        #expect(configuration.proxy.limits.exchangeWaiters == 1_000)
        #expect(configuration.proxy.timeouts.connect == .seconds(10))
        #expect(configuration.proxy.timeouts.handshake == .seconds(10))
        #expect(configuration.proxy.timeouts.requestHeader == .seconds(30))
        #expect(configuration.proxy.timeouts.responseHeader == .seconds(60))
        #expect(configuration.proxy.timeouts.idle == .seconds(300))
        #expect(configuration.proxy.timeouts.connectionAge == .seconds(3600))
        #expect(configuration.proxy.timeouts.drain == .seconds(30))
        #expect(!configuration.proxy.namesAccountsInMetrics)
        #expect(configuration.log == LogSettings())
        #expect(configuration.log.level == .info)
        #expect(configuration.log.format == nil)
        #expect(!configuration.log.includesQuery)
        #expect(configuration.log.file == nil)
        #expect(!configuration.keepsRequests)
        #expect(configuration.switchedOff == [])
    }

    @Test("of an API are the documented ones")
    func api() throws {
        let api = try #require(configuration.proxy.apis.first)
        #expect(configuration.proxy.apis.count == 1)
        #expect(api.name == "t")
        #expect(api.route.hosts == [try HostPattern("api.example.com")])
        #expect(api.route.upstreamScheme == .https)
        #expect(api.route.paths == nil)
        #expect(api.route.methods == nil)
        #expect(api.connectTo == nil)
        #expect(api.oauth1?.options == SigningOptions())
        #expect(api.oauth1?.client.identifier == "key")
        #expect(api.oauth1?.client.sharedSecret == Secret("s3cr3t-consumer"))
        #expect(api.maxBody == 1_048_576)
        #expect(api.existingAuthorization == .replace)
        #expect(api.tls.minimumVersion == .tls12)
        #expect(api.tls.verifiesHostname)
        #expect(api.tls.pinning.isEmpty)
        guard case .system = api.tls.trust else {
            Issue.record("\(api.tls.trust)")
            return
        }
        let account = try #require(api.accounts.first)
        #expect(account.name == "default")
        #expect(account.oauth1 == nil)
        guard case .issued(let token) = account.source else {
            Issue.record("\(account.source)")
            return
        }
        #expect(token == TokenCredentials(token: "token", secret: Secret("s3cr3t-token")))
    }

    @Test("stand for sections that are left empty")
    func emptySections() throws {
        let sections = ["listen", "authority", "vault", "access", "limits", "timeouts", "log"]
        let yaml = sections.map { "\($0):\n" }.joined() + Minimal.withAPI("signing:\ntls:\n")
        let read = try read(yaml)
        #expect(read.proxy.address == configuration.proxy.address && read.admin == configuration.admin)
        #expect(read.proxy.limits == configuration.proxy.limits)
        #expect(read.proxy.timeouts == configuration.proxy.timeouts)
        #expect(read.log == configuration.log)
    }

    @Test("of paths follow state, and a relative file keeps them relative")
    func state() throws {
        let read = try Configuration.read(
            Array("state: var/s\n\(Minimal.yaml)".utf8),
            file: "conf/p.yaml",
            environment: [:]
        )
        #expect(read.authority.certificate == "conf/var/s/ca.pem")
        guard case .directory(path: "conf/var/s/vault", key: .file("conf/var/s/vault.key")) = read.vault else {
            Issue.record("\(read.vault)")
            return
        }
        #expect(try ParaphConfigurationTests.read("state: /s\n\(Minimal.yaml)").authority.privateKey == "/s/ca.key")
    }
}
