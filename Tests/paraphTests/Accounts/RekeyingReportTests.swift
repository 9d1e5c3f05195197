import Credentials
import OAuthSigning
import Testing

@testable import paraph

@Suite("The report on a re-key")
struct RekeyingReportTests {
    private static func rekeying(_ count: Int, unfinished: [VaultError] = []) -> VaultRekeying {
        var rekeying = VaultRekeying()
        rekeying.resealedCount = count
        rekeying.unfinished = unfinished
        return rekeying
    }

    @Test("The key's file has the new key, and nothing is left to be done")
    func file() {
        let report = RekeyingReport(rekeying: Self.rekeying(1), key: .file(path: "/v.key"), newKeyFile: nil)
        #expect(
            report.text
                == "Sealed 1 credential under the new key. The new key is in /v.key; the old one is of no use any more."
        )
    }

    @Test("A key of the configuration's own has to be replaced there")
    func value() throws {
        let key = try VaultKey(base64: Secret(String(repeating: "A", count: 43) + "="))
        let report = RekeyingReport(rekeying: Self.rekeying(2), key: .value(key), newKeyFile: "/new key")
        #expect(report.text.hasPrefix("Sealed 2 credentials under the new key. The new key is in /new key."))
        #expect(report.text.hasSuffix("vault: {key: {file: /new key}}."))
    }

    @Test("What cannot be opened keeps both keys")
    func unfinished() {
        let errors = [VaultError.damaged(path: "/vault/a")]
        let report = RekeyingReport(
            rekeying: Self.rekeying(0, unfinished: errors),
            key: .file(path: "/v.key"),
            newKeyFile: nil
        )
        #expect(report.errors == errors)
        #expect(report.text.contains("both keys are kept"))
    }

    @Test("Shared: the new key has to be given to every proxy, and the re-key to be finished")
    func sharedIntroduced() {
        let report = RekeyingReport(ofShared: Self.rekeying(2), newKeyFile: "/new key")
        #expect(report.text.hasPrefix("Sealed 2 credentials under the new key. The new key is in /new key. "))
        #expect(report.text.contains("paraph accounts rekey --finish"))
    }

    @Test("Shared: the old key is of no use any more, and nothing is left to be done")
    func sharedFinished() {
        let report = RekeyingReport(ofShared: Self.rekeying(1), newKeyFile: nil)
        #expect(report.text == "Sealed 1 credential under the new key. The old key is of no use any more.")
    }

    @Test("Shared: what cannot be opened keeps both keys")
    func sharedUnfinished() {
        let errors = [VaultError.recordUnusable(record: "paraph/credentials/a", .damaged)]
        for file in [nil, "/new key"] {
            let report = RekeyingReport(ofShared: Self.rekeying(0, unfinished: errors), newKeyFile: file)
            #expect(report.errors == errors)
            #expect(report.text.contains("both keys are kept"))
            #expect(!report.text.contains("--finish") && !report.text.contains("of no use"))
        }
    }
}
