import Synchronization

/// A bounded amount, shared by all clients of all event loops after the rule of ``FairShare``.
final class SharedBudget: Sendable {
    /// More than anybody can use: small enough to be multiplied.
    static let unlimited = 1 << 48

    /// The values decided on: the sum and a client's part of it change together, or the difference between them would
    /// be taken for what other clients hold.
    private struct State {
        var capacity = unlimited
        var used = 0
        /// Indicates whether more was in use than is worth while to tell the end of.
        var hasPeaked = false
    }

    private let state = Mutex(State())
    /// The part of it that one client may hold while others hold any; nil: no such bound.
    private let largestPart: Int?
    private let abated: @Sendable () -> Void

    /// - Parameters:
    ///   - largestPart: The part that one client may hold while others hold any (4: a quarter); nil: no such bound.
    ///   - abated: Called when a quarter of it, or more, was in use, and next to nothing is any more.
    init(largestPart: Int? = nil, abated: @escaping @Sendable () -> Void = {}) {
        self.largestPart = largestPart
        self.abated = abated
    }

    /// The amount that there is.
    var capacity: Int { state.withLock(\.capacity) }

    /// The part of it that is in use.
    var used: Int { state.withLock(\.used) }

    /// Changes the capacity; what is in use stays so where that is more.
    func resize(to capacity: Int) {
        state.withLock { $0.capacity = capacity }
    }

    private func rule(_ capacity: Int) -> FairShare {
        FairShare(capacity: capacity, mostBesideOthers: largestPart.map { capacity / $0 })
    }

    /// The part of it that one client holds.
    final class Share: Sendable {
        private let budget: SharedBudget
        /// Changes with the budget's lock held.
        private let amount = Atomic(0)

        init(of budget: SharedBudget) {
            self.budget = budget
        }

        var held: Int { amount.load(ordering: .relaxed) }

        /// - Returns: False, and nothing is taken, when the client may not have as much.
        func take(_ more: Int) -> Bool {
            budget.state.withLock { state in
                guard budget.rule(state.capacity).permits(more, to: held, of: state.used) else { return false }
                if state.used > state.capacity / 4 { state.hasPeaked = true }
                add(more, to: &state)
                return true
            }
        }

        /// Returns whether the client might have as much if others held so much less.
        func permits(_ more: Int, without less: Int) -> Bool {
            budget.state.withLock { state in
                budget.rule(state.capacity).permits(more, to: held, of: max(held, state.used - less))
            }
        }

        /// Takes it whatever others hold.
        func takeAnyway(_ more: Int) {
            budget.state.withLock { add(more, to: &$0) }
        }

        func giveBack(_ less: Int) {
            let hasAbated = budget.state.withLock { state in
                add(-less, to: &state)
                guard state.hasPeaked, state.used < state.capacity / 32 else { return false }
                state.hasPeaked = false
                return true
            }
            if hasAbated { budget.abated() }
        }

        private func add(_ more: Int, to state: inout State) {
            state.used += more
            amount.add(more, ordering: .relaxed)
        }
    }
}
