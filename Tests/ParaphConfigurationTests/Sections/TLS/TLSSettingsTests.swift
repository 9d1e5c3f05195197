import Foundation
import ParaphConfiguration
import Routing
import Settings
import TestSupport
import Testing
import UpstreamTrust

@Suite("Settings of TLS", .generousLimit, .timed)
struct TLSSettingsTests {
    static let fixtures = Bundle.module.bundleURL.appending(path: "Fixtures/advice").path
    static let pins = [
        "sha256/AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "sha256/ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=",
    ]

    private func policy(_ lines: String) throws -> TLSPolicy {
        let configuration = try read(Minimal.withAPI(lines))
        return try #require(configuration.proxy.apis.first).tls
    }

    private func pinning(_ text: String) throws -> PinningPolicy? {
        let policy = try policy("tls: {pinning: {\(text)}}")
        return try #require(policy.pinning.first).policy
    }

    private static let list = "pins: [\(pins.joined(separator: ", "))]"

    @Test("are read", arguments: PinningMode.allCases)
    func areRead(_ mode: PinningMode) throws {
        let tls = try policy("tls: {minimum_version: 1.3, pinning: {mode: \(mode.rawValue), \(Self.list)}}")
        #expect(tls.minimumVersion == .tls13)
        #expect(tls.verifiesHostname)
        #expect(tls.clientIdentity == nil)
        let entry = try #require(tls.pinning.first)
        #expect(tls.pinning.count == 1 && entry.hosts.isEmpty)
        #expect(entry.policy == PinningPolicy(mode: mode, pins: try Self.pins.map { try Pin(validating: $0) }))
    }

    @Test("of pinning can be none, and say so")
    func none() throws {
        for text in ["mode: none", "mode: none, pins: null"] { #expect(try pinning(text) == nil) }
        #expect(try policy("tls: {pinning: null}").pinning.isEmpty)
        #expect(try policy("tls: null").pinning.isEmpty)
    }

    @Test("of pinning say where on the path a pin is looked for", arguments: PinPosition.allCases)
    func position(_ position: PinPosition) throws {
        #expect(try pinning("mode: public_key, \(Self.list), applies_to: \(position)")?.appliesTo == position)
    }

    @Test("of pinning say what a failure comes to, before and after the pins have expired")
    func failure() throws {
        let day = "expires: 2031-06-01"
        let last = try #require(ISO8601DateFormatter().date(from: "2031-06-01T23:59:59Z"))
        let rows: [(String, PinFailureAction, PinFailureAction)] = [
            ("applies_to: any", .refuse, .refuse), ("on_failure: refuse", .refuse, .refuse), (day, .refuse, .refuse),
            ("\(day), on_expiry: refuse", .refuse, .refuse), ("\(day), on_expiry: report", .refuse, .report),
            ("on_failure: report", .report, .report), ("on_failure: report, \(day)", .report, .report),
        ]
        for (text, before, after) in rows {
            let policy = try pinning("mode: public_key, \(Self.list), \(text)")
            #expect(policy?.action(at: last) == before, "\(text)")
            #expect(policy?.action(at: last + 1) == after, "\(text)")
        }
    }

    @Test("of pinning are satisfied with one pin where nothing is refused")
    func onePin() throws {
        #expect(try pinning("mode: public_key, pins: [\(Self.pins[0])], on_failure: report")?.pins.count == 1)
    }

    /// The pins as OpenSSL computes them:
    /// `openssl x509 -in FILE -noout -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary |
    /// base64` and `openssl x509 -in FILE -outform der | openssl dgst -sha256 -binary | base64`.
    static let ofFiles: [(mode: String, pins: [String])] = [
        (
            "public_key",
            [
                "/9ph6Cw1DXwAJ0dnRJxcAZz0bB+e9dDBtBNQqpGNExk=",
                "VB8rzAsR1HHR0V669IXWMg7ZmWmKS5mdohgC2jefWKI=",
                "Bp04hktzanOhr48GJyQ+AYiPqRHbJyrVliMaJBYOqTU=",
            ]
        ),
        (
            "certificate",
            [
                "vByjwMu5tD0CzcfaDwIgzLRv6NH+QS0IPO2pTVT8Lz0=",
                "EVUcX5Tn5SSuUerNvvhbCAnad5E+5ZexMcP5mLrh2AY=",
                "ZGnLnD9dzdXTXCRFcH3hNanF3f/ejaVFRggmOX/i3Pk=",
            ]
        ),
    ]

    @Test("of pinning take pins from PEM files, of keys or of certificates as the mode says", arguments: ofFiles)
    func certificates(_ mode: String, _ expected: [String]) throws {
        let files = "certificates: [\(Self.fixtures)/chain.pem, \(Self.fixtures)/reserve.pem]"
        #expect(try pinning("mode: \(mode), \(files)")?.pins.map(\.text) == expected.map { "sha256/\($0)" })
        let both = try pinning("mode: \(mode), \(files), \(Self.list)")
        #expect(both?.pins.map(\.text) == expected.map { "sha256/\($0)" } + Self.pins)
        let twice = files.replacing("]", with: ", \(Self.fixtures)/chain.pem]")
        #expect(try pinning("mode: \(mode), \(twice)")?.pins.count == 3)
    }

    @Test("of pinning can differ by host, and each server finds its own")
    func byHost() throws {
        let hosts = "[api.example.com, a.example.org, '*.example.org', 'b.example.org:8443', '*.example.org:8443']"
        let yaml =
            Minimal.yaml.replacing("[api.example.com]", with: hosts) + """
                    tls:
                      pinning:
                        - hosts: [api.example.com]
                          mode: public_key
                          \(Self.list)
                        - hosts: ['*.example.org:443', '*.example.org:8443']
                          mode: certificate
                          \(Self.list)
                        - hosts: [a.example.org, b.example.org:8443, c.example.org]
                          mode: none

                """
        let configuration = try read(yaml)
        let tls = try #require(configuration.proxy.apis.first).tls
        let rows: [(String, PinningMode?)] = [
            ("api.example.com:443", .publicKey), ("a.example.org:443", nil), ("x.example.org:443", .certificate),
            ("b.example.org:443", .certificate), ("b.example.org:8443", nil), ("a.example.org:8443", .certificate),
            ("c.example.org:443", nil),
        ]
        for (authority, mode) in rows {
            let pinning = tls.pinning(for: try Authority(parsing: authority, defaultPort: nil))
            #expect(pinning?.mode == mode, "\(authority)")
        }
    }

    @Test("that switch a verification off are named")
    func switchedOff() throws {
        let report = "mode: public_key, \(Self.list), on_failure: report"
        let rows: [(String, String)] = [
            ("tls: {verify_hostname: off}", "apis.t.tls.verify_hostname is off"),
            ("tls: {pinning: {\(report)}}", "apis.t.tls.pinning has on_failure: report"),
            ("tls: {pinning: [{hosts: [api.example.com], \(report)}]}", "apis.t.tls.pinning for api.example.com has"),
            ("upstream: http", "apis.t.upstream is http"),
        ]
        for (lines, words) in rows {
            let configuration = try read(Minimal.withAPI(lines))
            #expect(configuration.switchedOff.count == 1 && configuration.switchedOff[0].hasPrefix(words), "\(lines)")
            #expect(configuration.summary.contains(words))
        }
    }
}
