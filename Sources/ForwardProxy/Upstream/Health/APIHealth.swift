import Bytes
import HTTP1Codec
import Routing
import Synchronization

/// The health of an API: what its hosts last told and how they last failed, for all event loops and as long as the
/// process lives.
///
/// A response costs one look at ``isTroubled``, unless it has something to tell or ends a trouble.
final class APIHealth: Sendable {
    private struct State {
        var troubles = BoundedCache<Authority, UpstreamTrouble, Never>(limit: APIHealth.hostLimit)
        var reports = BoundedCache<Authority, UpstreamTrouble, Never>(limit: APIHealth.hostLimit)
        var refusals = BoundedCache<String, RefusalTrouble, Never>(limit: APIHealth.accountLimit)
        var limits = BoundedCache<String?, KeptRateLimits, Never>(limit: APIHealth.accountLimit)
    }

    private static let hostLimit = 8
    private static let accountLimit = 64
    /// The time in seconds after which a response of another host ends the trouble of one: nobody may ask that host ever
    /// again, whose name may have been a slip.
    private static let troubleLasts: Int64 = 3600

    private let troubled = Atomic<Bool>(false)
    private let state = Mutex(State())

    /// Indicates whether there is a trouble that a response may end.
    var isTroubled: Bool { troubled.load(ordering: .relaxed) }

    // MARK: What is told

    var told: HealthOfAPI {
        state.withLock { state in
            HealthOfAPI(
                troubles: (Array(state.troubles.all.values) + Array(state.reports.all.values))
                    .sorted { ($0.time, $0.authority) > ($1.time, $1.authority) },
                refusals: state.refusals.all.values.sorted { ($0.time, $0.account) > ($1.time, $1.account) },
                rateLimits: state.limits.all.map { $1.seen(by: $0) }
                    .sorted { ($0.time, $0.account ?? "") > ($1.time, $1.account ?? "") }
            )
        }
    }

    // MARK: Notes

    /// No response came from a host.
    func failed(_ kind: UpstreamTrouble.Kind, at authority: Authority, time: Int64, _ sentence: String) {
        let trouble = UpstreamTrouble(kind, at: authority.description, time: time, sentence)
        change { $0.troubles.insert(trouble, for: authority) }
    }

    /// A new connection has shown whether the certificate passes the pins that only report.
    ///
    /// - Parameter sentence: The reason why it does not; nil: it does.
    func reported(_ sentence: String?, at authority: Authority, time: Int64) {
        change { state in
            if let sentence {
                let trouble = UpstreamTrouble(.pinsReported, at: authority.description, time: time, sentence)
                state.reports.insert(trouble, for: authority)
            } else {
                state.reports.removeValue(for: authority)
            }
        }
    }

    /// Other pins may count now than those that a certificate was reported by.
    func policiesChanged() {
        change { $0.reports.removeAll() }
    }

    func refused(_ account: String, status: Int, time: Int64, _ sentence: String) {
        let trouble = RefusalTrouble(of: account, time: time, status: status, sentence)
        change { $0.refusals.insert(trouble, for: account) }
    }

    /// A response has come from a host.
    ///
    /// - Parameters:
    ///   - isReused: Whether it came on a connection that had been there: no certificate was looked at for it.
    ///   - account: The one whose request has succeeded; nil: none has.
    func answered(at authority: Authority, isReused: Bool, account: String?, time: Int64) {
        change { state in
            for (host, trouble) in state.troubles.all {
                let isOver = host == authority && !(isReused && trouble.kind == .certificateRefused)
                if isOver || time - trouble.time > Self.troubleLasts { state.troubles.removeValue(for: host) }
            }
            if let account { state.refusals.removeValue(for: account) }
        }
    }

    func limited(_ fields: FieldSection, account: String?, time: Int64) {
        let limits = KeptRateLimits(fields, time: time)
        state.withLock { $0.limits.insert(limits, for: account) }
    }

    private func change(_ body: (inout sending State) -> Void) {
        state.withLock { state in
            body(&state)
            let isTroubled = !state.troubles.isEmpty || !state.refusals.isEmpty
            troubled.store(isTroubled, ordering: .relaxed)
        }
    }
}

/// The health of an API at one time, in lists that begin with the latest.
package struct HealthOfAPI: Equatable, Sendable {
    package var troubles: [UpstreamTrouble]
    package var refusals: [RefusalTrouble]
    package var rateLimits: [SeenRateLimits]

    package init(
        troubles: [UpstreamTrouble] = [],
        refusals: [RefusalTrouble] = [],
        rateLimits: [SeenRateLimits] = []
    ) {
        self.troubles = troubles
        self.refusals = refusals
        self.rateLimits = rateLimits
    }
}
