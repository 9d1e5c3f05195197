import CryptoExtras
import Foundation
import ParaphConfiguration
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
        "name", "password", "apis", "accounts", "other_hosts", "denied_networks", "allowed_networks", "connect_ports",
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
        "format",
    ]

    private static func environment(of text: String) throws -> [String: String] {
        let names = text.matches(of: /\{env: ([A-Z_]+)\}/).map { String($0.output.1) }
        var environment = Dictionary(names.map { ($0, "value") }, uniquingKeysWith: { first, _ in first })
        environment["LEDGER_PRIVATE_KEY"] = try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation
        return environment
    }

    @Test("is good once its environment is set")
    func good() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let configuration = try Configuration.load(path: Self.file.path, environment: Self.environment(of: text))
        #expect(configuration.apis.map(\.name) == ["twitter", "ledger"])
    }

    @Test("shows every key", arguments: keys)
    func complete(_ key: String) throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let lines = text.split(separator: "\n").map { $0.drop { " #-".contains($0) } }
        #expect(lines.contains { $0.hasPrefix("\(key):") || $0.contains("{\(key):") })
    }

    @Test("is good with the line uncommented that it has commented out")
    func commentedOut() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let whole = text.replacing("# connect_to:", with: "connect_to:")
        #expect(whole != text)
        #expect(try mistakes(whole.utf8, environment: Self.environment(of: text)) == [])
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
