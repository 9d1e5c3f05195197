import Credentials
import CredentialSamples
import Testing

@testable import CredentialStores

@Suite("The wait for a turn")
struct TurnWaitTests {
    private static func isNew(_ stored: StoredCredential?, _ wait: inout TurnWait) -> Bool? {
        let outcome: TurnOutcome<Void>? = wait.spared(by: stored) { _, _ in true }
        guard case .spared(_, let isNew)? = outcome else { return nil }
        return isNew
    }

    @Test("What was stored when it began is not new, and what comes after is")
    func news() {
        var wait = TurnWait()
        #expect(Self.isNew(Samples.credential(1), &wait) == false)
        #expect(Self.isNew(Samples.credential(1), &wait) == false)
        #expect(Self.isNew(Samples.credential(2), &wait) == true)
        #expect(Self.isNew(nil, &wait) == nil)
    }

    @Test("Where nothing was stored, whatever comes is new")
    func first() {
        var wait = TurnWait()
        #expect(Self.isNew(nil, &wait) == nil)
        #expect(Self.isNew(Samples.credential(1), &wait) == true)
    }
}
