import TestSupport
import Testing
import UpstreamTrust

@Suite(.generousLimit, .timed) struct DecisionTests {
    @Test(
        "A chain is accepted, reported or refused as its row of the tables says",
        arguments: ChainTable.rows + NameTable.rows + PinTable.rows
    )
    func aChainIsDecidedUponAsItsRowSays(_ row: DecisionRow) async throws {
        let decision = try await row.decision(pins: row.pins)
        switch decision {
        case .refused(let failure):
            #expect(row.expected == .refused(failure.label), "\(failure.sentence)")
            #expect(try failure.pinning == row.pins?.policy)
        case .accepted(let accepted):
            if let reported = accepted.reported {
                #expect(row.expected == .reported(reported.label), "\(reported.sentence)")
            }
            switch row.expected {
            case .accepted:
                #expect(try accepted.path == DecisionRow.path(row.presented + row.trusted))
                #expect(accepted.reported == nil)
            case .path(let names):
                #expect(try accepted.path == DecisionRow.path(names))
                #expect(accepted.reported == nil)
            case .reported(let label):
                #expect(accepted.reported?.label == label)
            case .refused(let label):
                Issue.record("accepted, though \(label)")
            }
        }
        if let ofCertificates = try await row.decisionOfCertificates() { #expect(ofCertificates == decision) }
    }

    static let pinSets: [PinSet] = PinningMode.allCases.flatMap { mode in
        [nil, PinFailureAction.refuse, .report].flatMap { expired in
            PinFailureAction.allCases.map { action in
                PinSet(mode: mode, of: ["leaf", "root", "self-signed"], at: .any, onFailure: action, expired: expired)
            }
        }
    }

    @Test("No pins and no report let a chain pass that is not valid", arguments: pinSets)
    func pinsConcernPinsAlone(_ pins: PinSet) async throws {
        for row in ChainTable.rows + NameTable.rows {
            guard case .refused(let label) = row.expected else { continue }
            var own = pins
            own.of += row.presented.filter { !$0.hasPrefix("openssl ") }
            for set in [pins, own] {
                guard case .refused(let failure) = try await row.decision(pins: set) else {
                    Issue.record("\(row.what): accepted")
                    continue
                }
                #expect(failure.label == label, "\(row.what)")
            }
        }
    }

    @Test("There are as many rows as were promised, and no two of one name")
    func rows() {
        let names = (ChainTable.rows + NameTable.rows + PinTable.rows).map(\.what)
        #expect(PinTable.rows.count >= 60)
        #expect(Set(names).count == names.count)
    }
}
