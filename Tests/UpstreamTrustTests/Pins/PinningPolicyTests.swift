import FoundationEssentials
import Testing
import TestSupport
import UpstreamTrust

@Suite(.generousLimit, .timed) struct PinningPolicyTests {
    typealias Action = PinFailureAction

    static let actions: [(onFailure: Action, onExpiry: Action, expires: Double?, expected: Action)] = [
        (.refuse, .refuse, nil, .refuse), (.refuse, .report, nil, .refuse), (.report, .refuse, nil, .report),
        (.refuse, .refuse, 0, .refuse), (.refuse, .report, 0, .report), (.report, .refuse, 0, .report),
        (.refuse, .report, 1, .refuse), (.refuse, .report, -1, .report), (.report, .report, 1, .report),
    ]

    @Test(
        "A chain without a pin is refused or reported as its policy says, before and after it expires",
        arguments: actions
    )
    func aMismatchComesToWhatThePolicySaysOfTheTime(
        _ onFailure: Action,
        _ onExpiry: Action,
        _ expires: Double?,
        _ expected: Action
    ) {
        let policy = PinningPolicy(
            mode: .publicKey,
            pins: [],
            onFailure: onFailure,
            expires: expires.map { TestCertificates.now + $0 },
            onExpiry: onExpiry
        )
        #expect(policy.action(at: TestCertificates.now) == expected)
    }

    static let backups: [(PinSet, lacks: Bool)] = [
        (.key("leaf"), true), (.key("leaf", "root"), true), (.key("leaf", "unrelated"), false),
        (.key("leaf", "root", at: .leaf), true), (.key("root", "other root", at: .root), false),
        (.certificate("leaf", "intermediate 2"), true), (.certificate("leaf", "leaf, renewed"), false),
        (.key("leaf", "leaf, renewed"), true), (.key("leaf", on: .report), false),
        (.key("leaf", expired: .refuse), true), (.key("leaf", expired: .report), false),
    ]

    @Test(
        "A path that has every configured pin, where a mismatch would be refused, leaves no backup pin",
        arguments: backups
    )
    func aPathThatHasEveryPinLeavesNoBackup(_ pins: PinSet, lacks: Bool) async throws {
        let row = DecisionRow("", ChainTable.whole, .accepted)
        #expect(try await row.decision(pins: pins).get().lacksBackupPin == lacks)
    }

    @Test("A server without pins lacks no backup pin")
    func withoutPinsThereIsNoBackupToLack() async throws {
        let row = DecisionRow("", ChainTable.whole, .accepted)
        #expect(try await !row.decision(pins: nil).get().lacksBackupPin)
    }
}
