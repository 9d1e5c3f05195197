import Routing
import Settings
import Testing
import UpstreamTrust
import X509

@testable import ForwardProxy
@testable import ProviderSimulator

@Suite("The purposes of listeners")
struct ListenerPurposesTests {
    private static let fixed = ListenAddress(host: "127.0.0.1", port: 8080)

    private var setup: ProxySetup {
        var setup = ProxySetup.unconnected
        setup.apis[0].gateway = GatewaySettings()
        return setup
    }

    /// `proxy`, `gateway of API`, or nil.
    private func purpose(_ purposes: ListenerPurposes, _ address: ListenAddress, api: String?) -> String? {
        switch purposes[ListenerKey(address: address, api: api)] {
        case .proxy: "proxy"
        case .gateway(let gateway): "gateway of \(gateway.route.name)"
        case nil: nil
        }
    }

    @Test("The proxy's own listener and each gateway have one, also where they may be on any port")
    func anyPort() throws {
        var setup = self.setup
        setup.apis[1].gateway = GatewaySettings()
        let purposes = try ListenerPurposes(setup.settings())
        #expect(purpose(purposes, .anyLoopback, api: nil) == "proxy")
        #expect(purpose(purposes, .anyLoopback, api: "api") == "gateway of api")
        #expect(purpose(purposes, .anyLoopback, api: "second") == "gateway of second")
        #expect(purpose(purposes, .anyLoopback, api: "third") == nil)
        #expect(purpose(purposes, Self.fixed, api: nil) == nil)
    }

    @Test("A listener on a port of its own is known by that alone")
    func fixedPort() throws {
        var setup = self.setup
        setup.apis[0].gateway?.address = Self.fixed
        let purposes = try ListenerPurposes(setup.settings())
        for api in ["api", "another", nil] {
            #expect(purpose(purposes, Self.fixed, api: api) == "gateway of api")
        }
        #expect(purpose(purposes, .anyLoopback, api: "api") == nil)
    }

    @Test("The first of two that nothing tells apart has the address")
    func same() throws {
        var setup = self.setup
        for index in setup.apis.indices { setup.apis[index].gateway = GatewaySettings(address: Self.fixed) }
        var settings = try setup.settings()
        let gateways = try ListenerPurposes(settings)
        #expect(purpose(gateways, Self.fixed, api: nil) == "gateway of api")
        settings.address = Self.fixed
        let all = try ListenerPurposes(settings)
        #expect(purpose(all, Self.fixed, api: nil) == "proxy")
    }

    @Test("An API whose first host is a wildcard has no gateway")
    func wildcard() throws {
        var setup = self.setup
        setup.apis[0].hosts = ["*.api.test", "api.test"]
        let purposes = try ListenerPurposes(setup.settings())
        #expect(purpose(purposes, .anyLoopback, api: "api") == nil)
    }

    @Test("TLS is for the proxy's own listener, where that has a certificate", arguments: [true, false])
    func tls(hasCertificate: Bool) throws {
        let certificates = try ServerIdentity.shared.get()
        var setup = self.setup
        if hasCertificate {
            setup.identity = TLSIdentity(
                chain: [certificates.leaf],
                key: try Certificate.PrivateKey(derBytes: certificates.leafKeyDER)
            )
        }
        let purposes = try ListenerPurposes(setup.settings())
        let apis: [String: String?] = ["proxy": nil, "api": "api", "third": "third"]
        let have = apis.mapValues { purposes.tls(at: ListenerKey(address: .anyLoopback, api: $0)) != nil }
        #expect(have == ["proxy": hasCertificate, "api": false, "third": false])
    }
}
