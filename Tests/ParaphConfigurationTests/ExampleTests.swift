import CryptoExtras
import Foundation
import ParaphConfiguration
import Settings
import Testing

@Suite("The example configuration")
struct ExampleTests {
    private static let file = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "config/paraph.example.yaml")

    /// Every key that is known, but for the names that a user chooses.
    static let keys = [
        "listen", "proxy", "admin", "state", "authority", "certificate", "private_key", "vault", "directory", "key",
        "access", "clients",
        "name", "password", "apis", "accounts", "other_hosts", "allow", "else", "denied_networks", "allowed_networks",
        "connect_ports",
        "hosts",
        "connect_to", "upstream", "paths", "methods", "oauth1", "consumer_key", "consumer_secret", "signature_method",
        "realm",
        "body_hash", "placement", "empty_token", "include_version", "token", "token_secret", "reverse_auth",
        "request_token_url",
        "access_token_url", "signed_as", "two_legged", "signing", "max_body", "on_existing_authorization", "tls",
        "minimum_version",
        "trust", "verify_hostname", "pinning", "mode", "pins", "limits", "connections", "header", "pooled_per_host",
        "exchange_waiters", "timeouts", "connect", "handshake", "request_header", "response_header", "idle", "drain",
        "log", "level",
        "format", "preset", "timestamp", "clock_correction", "xauth", "username", "three_legged", "authorize_url",
        "callback", "authorize_parameters", "version", "oauth2", "token_url", "client_id", "client_secret",
        "grant_type", "client_authentication", "scope", "bearer", "enrolment", "access_types", "api", "verify_url",
        "id", "certificates", "applies_to", "on_failure", "expires", "on_expiry", "client_certificate",
        "client_private_key", "revocation", "crls", "on_missing", "upstream_proxy", "url", "http2", "clients",
        "upstreams",
        "gateway", "map_responses", "requests", "requests_per_client", "requests_per_api", "upstream_per_client",
        "tunnels_per_client", "collected", "connection_age", "metrics", "inspector", "keep", "etcd", "endpoints",
        "prefix",
    ]

    private static func environment(of text: String) throws -> [String: String] {
        let names = text.matches(of: /\{env: ([A-Z_]+)\}/).map { String($0.output.1) }
        var environment = Dictionary(names.map { ($0, "value-\($0)") }, uniquingKeysWith: { first, _ in first })
        environment["LEDGER_PRIVATE_KEY"] = try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation
        return environment
    }

    @Test("is good once its environment is set")
    func good() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let configuration = try Configuration.load(path: Self.file.path, environment: Self.environment(of: text))
        #expect(configuration.proxy.apis.map(\.name) == ["twitter", "ledger", "discogs", "members", "facebook"])
    }

    @Test("shows every key", arguments: keys)
    func complete(_ key: String) throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let lines = text.split(separator: "\n").map { $0.drop { " #-".contains($0) } }
        #expect(
            lines.contains { $0.hasPrefix("\(key):") || $0.contains("{\(key):") || $0.contains(", \(key): ") }
        )
    }

    @Test(
        "is good with each line uncommented that it has commented out, in the place of the one of the same key",
        arguments: ["# connect_to: 10", "# callback: http", "# scope: "]
    )
    func commentedOut(_ line: String) throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let key = try #require(line.dropFirst(2).split(separator: ":").first)
        let rest = text.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.drop { $0 == " " }.hasPrefix("\(key): oob") }.joined(separator: "\n")
        let whole = rest.replacing(line, with: line.dropFirst(2))
        #expect(whole != rest)
        #expect(try mistakes(whole.utf8, environment: Self.environment(of: text)) == [])
    }

    @Test("is good with the PEM file that it has commented out, where there is one")
    func commentedOutFile() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let line = "# certificates: [pins/api.pem]"
        let whole = text.replacing(line, with: "certificates: [\(TLSSettingsTests.fixtures)/chain.pem]")
        #expect(whole != text)
        #expect(try mistakes(whole.utf8, environment: Self.environment(of: text)) == [])
    }

    @Test("has nothing commented out but what the tests above uncomment")
    func allCommentedOut() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let keys = text.matches(of: /# ([a-z_]+): \S/).map { String($0.output.1) }
            .filter { Self.keys.contains($0) }
        #expect(Set(keys) == ["connect_to", "callback", "scope", "certificates"])
    }

    @Test("gets no warning")
    func warnings() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let configuration = try Configuration.load(path: Self.file.path, environment: Self.environment(of: text))
        #expect(configuration.warnings == [])
    }

    @Test("says where the environment is not set, and nothing else")
    func unset() {
        do {
            _ = try Configuration.load(path: Self.file.path, environment: [:])
            Issue.record("good without its environment")
        } catch {
            #expect(error.mistakes.allSatisfy { $0.message.hasSuffix("which is not set") })
            #expect(error.mistakes.count > 10)
        }
    }
}
