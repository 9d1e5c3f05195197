/// The memory of a head of which a part has come, or of what else a client has sent that is not decoded. Only counted
/// where it is much.
struct HeadMemory {
    /// The number of bytes up to which they are not counted.
    static let uncountedBytes = 4 * 1024

    private var claim = MemoryClaim()

    /// The number of bytes that are counted.
    var bytes: Int { claim.bytes }

    /// Returns whether they are counted for a client.
    func isOf(_ client: ClientUsage) -> Bool { claim.isOf(client) }

    /// Counts what there is for a client, and no more for any other one.
    ///
    /// - Parameter bytes: The number of bytes that have come.
    /// - Returns: The number of bytes that the client may not have held besides; nil: it may have all of them.
    mutating func hold(_ bytes: Int, for client: ClientUsage) -> Int? {
        if !claim.isOf(client) { claim.release() }
        claim.shrink(to: bytes)
        return claim.grow(to: bytes, of: client.memory) ? nil : bytes - claim.bytes
    }

    mutating func release() {
        claim.release()
    }
}
