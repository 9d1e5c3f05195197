import Foundation
import Settings
import TestSupport
import Testing
import UpstreamTrust

@testable import ParaphConfiguration

@Suite("Settings of revocation", .generousLimit, .timed)
struct RevocationSettingsTests {
    private static let fixtures = Bundle.module.bundleURL.appending(path: "Fixtures/revocation").path

    @Test("are read, from PEM and DER files", arguments: RevocationAction.allCases)
    func areRead(_ action: RevocationAction) throws {
        let files = "crls: [\(Self.fixtures)/two.crl, \(Self.fixtures)/one.der]"
        let yaml = Minimal.withAPI("tls: {revocation: {\(files), on_missing: \(action)}}")
        let policy = try #require(try read(yaml).proxy.apis.first?.tls.revocation)
        #expect(policy.onMissing == action)
        #expect(policy.lists.map { "\($0.issuer)" } == ["CN=root", "CN=intermediate", "CN=intermediate"])
        #expect(try read(Minimal.withAPI("tls: {revocation: null}")).proxy.apis.first?.tls.revocation == nil)
    }

    @Test("are wrong with what is missing, empty or no list")
    func mistaken() {
        let file = "\(Self.fixtures)/one.der"
        let rows: [(String, String)] = [
            ("on_missing: refuse", "apis.t.tls.revocation lacks crls"),
            ("crls: [\(file)]", "apis.t.tls.revocation lacks on_missing"),
            ("crls: [], on_missing: accept", "apis.t.tls.revocation.crls is an empty list"),
            ("crls: [\(file)], on_missing: maybe", "apis.t.tls.revocation.on_missing"),
            ("crls: [\(file)], on_missing: accept, urls: []", "urls"),
            ("crls: [\(Self.fixtures)/none.crl], on_missing: accept", "which cannot be read"),
            ("crls: [\(Self.fixtures)/delta.crl], on_missing: accept", "it is a delta list"),
        ]
        for (text, words) in rows {
            let found = mistakes(Minimal.withAPI("tls: {revocation: {\(text)}}").utf8)
            #expect(found.count == 1 && found[0].contains(words), "\(text): \(found)")
        }
    }

    @Test("are warned of where a list is out of date")
    func outOfDate() throws {
        let yaml = Minimal.withAPI("tls: {revocation: {crls: [\(Self.fixtures)/old.crl], on_missing: refuse}}")
        let advice = try read(yaml).advice.map { $0.line(file: "") }
        #expect(advice.contains { $0.contains("the next one was due on 2026-03-01T00:00:00Z") }, "\(advice)")
    }

    @Test("are warned of where a list does not count yet")
    func tooEarly() throws {
        let yaml = Minimal.withAPI("tls: {revocation: {crls: [\(Self.fixtures)/future.crl], on_missing: accept}}")
        let advice = try read(yaml).advice.map { $0.line(file: "") }
        #expect(advice.contains { $0.contains("counts from 2034-01-01T00:00:00Z on, and not yet") }, "\(advice)")
    }
}
