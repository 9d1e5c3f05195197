import Credentials
import Testing

@testable import paraph

@Suite("What is told of a re-key of a shared vault")
struct SharedRekeyingReportTests {
    private static func rekeying(_ count: Int, unfinished: [VaultError] = []) -> VaultRekeying {
        var rekeying = VaultRekeying()
        rekeying.resealedCount = count
        rekeying.unfinished = unfinished
        return rekeying
    }

    @Test("The new key has to be given to every proxy, and the re-key to be finished")
    func introduced() {
        let report = SharedRekeyingReport(rekeying: Self.rekeying(2), newKeyFile: "/new key")
        #expect(report.text.hasPrefix("Sealed 2 credentials under the new key. The new key is in /new key. "))
        #expect(report.text.contains("paraph accounts rekey --finish"))
    }

    @Test("The old key is of no use any more, and nothing is left to be done")
    func finished() {
        let report = SharedRekeyingReport(rekeying: Self.rekeying(1), newKeyFile: nil)
        #expect(report.text == "Sealed 1 credential under the new key. The old key is of no use any more.")
    }

    @Test("What cannot be opened keeps both keys")
    func unfinished() {
        let errors = [VaultError.recordUnusable(record: "paraph/credentials/a", .damaged)]
        for file in [nil, "/new key"] {
            let report = SharedRekeyingReport(rekeying: Self.rekeying(0, unfinished: errors), newKeyFile: file)
            #expect(report.errors == errors)
            #expect(report.text.contains("both keys are kept"))
            #expect(!report.text.contains("--finish") && !report.text.contains("of no use"))
        }
    }
}
