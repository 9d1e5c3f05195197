import ParaphConfiguration
import Routing
import Settings
import Testing
import TestSupport
import UpstreamTrust

@Suite("The tables of docs/pinning.md", .generousLimit, .timed)
struct PolicyTableTests {
    private let servers: PolicyServers

    init() throws {
        servers = try PolicyServers()
    }

    @Test("are as long as they should be")
    func lengths() {
        #expect(PolicyTable.rows(with: "as pinned").count >= 27)
        #expect(PolicyTable.rows(with: "www.example.com").count >= 8)
        #expect(PolicyTable.rows(with: "tried here").count >= 17)
    }

    @Test(
        "name every setting of AFSecurityPolicy, CertificatePinner and TrustKit",
        arguments: [
            "AFSSLPinningModeNone", "AFSSLPinningModePublicKey", "AFSSLPinningModeCertificate", "pinnedCertificates",
            "allowInvalidCertificates = YES", "allowInvalidCertificates = NO", "validatesDomainName = YES",
            "validatesDomainName = NO", "add(\"api.example.com\", \"sha256/…\")", "\"*.example.com\"",
            "\"**.example.com\"", "sha1/", "kTSKPinnedDomains", "kTSKPublicKeyHashes", "kTSKEnforcePinning: YES",
            "kTSKEnforcePinning: NO", "kTSKIncludeSubdomains: YES", "kTSKIncludeSubdomains: NO", "kTSKExpirationDate",
            "kTSKExcludeSubdomainFromParentPolicy", "kTSKReportUris", "kTSKDisableDefaultReportUri",
            "kTSKSwizzleNetworkDelegates", "kTSKPublicKeyAlgorithms", "kTSKIgnorePinningForUserDefinedTrustAnchors",
        ]
    )
    func settings(_ name: String) throws {
        #expect(try PolicyTable.text.get().contains(name))
    }

    @Test("come to the decisions that they say", arguments: PolicyTable.rows(with: "as pinned"))
    func decisions(_ row: PolicyTable.Row) async throws {
        let configuration = try servers.read(PolicyTable.yaml(row["here"]))
        let tls = try #require(configuration.proxy.apis.first).tls
        let pinning = tls.pinning(for: try Authority(parsing: "api.example.com", defaultPort: 443))
        for column in PolicyServers.columns {
            let decision = try await servers.decision(tls, pinning: pinning, column: column)
            #expect(decision == row[column], "\(column)")
        }
    }

    @Test("pin the hosts that they say", arguments: PolicyTable.rows(with: "www.example.com"))
    func hosts(_ row: PolicyTable.Row) throws {
        let configuration = try servers.read(PolicyTable.yaml(row["here"]))
        let tls = try #require(configuration.proxy.apis.first).tls
        for host in ["example.com", "www.example.com", "api.example.com", "a.b.example.com"] {
            let server = try Authority(parsing: host, defaultPort: 443)
            let found =
                if configuration.proxy.router.apis.route(for: server) == nil {
                    "no API"
                } else {
                    tls.pinning(for: server) == nil ? "not pinned" : "pinned"
                }
            #expect(found == row[host], "\(host)")
        }
    }

    @Test("name what cannot be written, the mistake and what can be", arguments: PolicyTable.rows(with: "tried here"))
    func mistakes(_ row: PolicyTable.Row) throws {
        let tried = PolicyTable.yaml(row["tried here"])
        #expect(!tried.isEmpty)
        do {
            _ = try servers.read(tried)
            Issue.record("taken for good")
        } catch {
            #expect(error.mistakes.contains { $0.message.contains(row["the mistake"]) }, "\(error)")
            #expect(error.mistakes.count == 1, "\(error)")
        }
        #expect(throws: Never.self) { try servers.read(PolicyTable.yaml(row["instead"])) }
    }

    @Test("say what is said with backticks around every line")
    func code() {
        for row in PolicyTable.rows(with: "here") { #expect(!PolicyTable.yaml(row["here"]).isEmpty, "\(row)") }
        for row in PolicyTable.rows(with: "instead") { #expect(!PolicyTable.yaml(row["instead"]).isEmpty, "\(row)") }
    }
}
