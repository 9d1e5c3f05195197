/// Bytes that one request holds of `limits.collected`.
struct MemoryClaim {
    private(set) var bytes = 0
    private var share: SharedBudget.Share?

    /// - Parameter share: The share of the request's client, always the same one.
    /// - Returns: False, and nothing has changed, when the client may not have as much.
    mutating func grow(to total: Int, of share: SharedBudget.Share) -> Bool {
        guard total > bytes else { return true }
        guard share.take(total - bytes) else { return false }
        bytes = total
        self.share = share
        return true
    }

    func isOf(_ client: ClientUsage) -> Bool { share === client.memory }

    mutating func shrink(to total: Int) {
        guard total < bytes else { return }
        share?.giveBack(bytes - total)
        bytes = total
    }

    mutating func release() {
        shrink(to: 0)
        share = nil
    }
}
