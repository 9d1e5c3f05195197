import Synchronization

/// Something of which there is only so much, shared by all clients of all event loops after the rule of ``FairShare``.
final class SharedBudget: Sendable {
    /// More than anybody can use: small enough to be multiplied.
    static let unlimited = 1 << 48

    private let capacity = Atomic(unlimited)
    private let used = Atomic(0)
    /// Which part of it one client may hold while others hold any; nil: no such bound.
    private let largestPart: Int?
    private let abated: @Sendable () -> Void
    /// Indicates whether more was in use than is worth while to tell the end of.
    private let hasPeaked = Atomic(false)

    /// - Parameters:
    ///   - largestPart: 4: a quarter is what one client may hold while others hold any.
    ///   - abated: Called when a quarter of it, or more, was in use, and next to nothing is any more.
    init(largestPart: Int? = nil, abated: @escaping @Sendable () -> Void = {}) {
        self.largestPart = largestPart
        self.abated = abated
    }

    /// The amount that there is, and how much of it is in use.
    var state: (capacity: Int, used: Int) { (capacity.load(ordering: .relaxed), used.load(ordering: .relaxed)) }

    /// Changes the capacity; what is in use stays so where that is more.
    func resize(to capacity: Int) {
        self.capacity.store(capacity, ordering: .relaxed)
    }

    /// - Parameter held: What the client holds.
    /// - Returns: False, and nothing is taken, when the client may not have as much.
    fileprivate func take(_ amount: Int, adding held: borrowing Atomic<Int>) -> Bool {
        let capacity = self.capacity.load(ordering: .relaxed)
        let rule = FairShare(capacity: capacity, mostBesideOthers: largestPart.map { capacity / $0 })
        let used = self.used.add(amount, ordering: .relaxed).oldValue
        let before = held.add(amount, ordering: .relaxed).oldValue
        if rule.permits(amount, to: before, of: used) {
            if used > capacity / 4 { hasPeaked.store(true, ordering: .relaxed) }
            return true
        }
        giveBack(amount, subtractingFrom: held)
        return false
    }

    /// - Returns: Whether the client might have as much if others held so much less.
    fileprivate func permits(_ amount: Int, to held: Int, without less: Int) -> Bool {
        let (capacity, used) = state
        return FairShare(capacity: capacity, mostBesideOthers: largestPart.map { capacity / $0 })
            .permits(amount, to: held, of: max(held, used - less))
    }

    fileprivate func takeAnyway(_ amount: Int, adding held: borrowing Atomic<Int>) {
        used.add(amount, ordering: .relaxed)
        held.add(amount, ordering: .relaxed)
    }

    fileprivate func giveBack(_ amount: Int, subtractingFrom held: borrowing Atomic<Int>) {
        held.subtract(amount, ordering: .relaxed)
        let left = used.subtract(amount, ordering: .relaxed).newValue
        guard hasPeaked.load(ordering: .relaxed), left < capacity.load(ordering: .relaxed) / 32 else { return }
        if hasPeaked.exchange(false, ordering: .relaxed) { abated() }
    }

    /// The part of it that one client holds.
    final class Share: Sendable {
        private let budget: SharedBudget
        private let amount = Atomic(0)

        init(of budget: SharedBudget) {
            self.budget = budget
        }

        var held: Int { amount.load(ordering: .relaxed) }

        /// - Returns: False, and nothing is taken, when the client may not have as much.
        func take(_ more: Int) -> Bool { budget.take(more, adding: amount) }

        /// Returns whether the client might have as much if others held so much less.
        func permits(_ more: Int, without less: Int) -> Bool { budget.permits(more, to: held, without: less) }

        /// Takes it whatever others hold.
        func takeAnyway(_ more: Int) { budget.takeAnyway(more, adding: amount) }

        func giveBack(_ less: Int) { budget.giveBack(less, subtractingFrom: amount) }
    }
}
