import TestSupport
import Testing
import UpstreamTrust

@Suite(.generousLimit, .timed) struct LimboTests {
    @Test("Every case of x509-limbo is decided as its line says")
    func everyCaseIsDecidedAsItsLineSays() async throws {
        for limbo in try LimboCase.all.get().cases {
            switch await limbo.decide() {
            case .accepted: #expect(limbo.decision == "accepted", "\(limbo.name)")
            case .refused(let failure): #expect(limbo.decision == failure.label, "\(limbo.name): \(failure.sentence)")
            }
        }
    }

    @Test("A case of x509-limbo has a reason exactly when it is decided otherwise than it asks")
    func whatIsDecidedOtherwiseThanAskedHasItsReason() throws {
        for limbo in try LimboCase.all.get().cases {
            let isAsAsked = limbo.isAskedToBeAccepted == (limbo.decision == "accepted")
            #expect(isAsAsked == limbo.deviation.isEmpty, "\(limbo.name)")
        }
    }
}
