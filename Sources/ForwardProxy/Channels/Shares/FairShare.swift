/// The share that one client may hold of what all clients share, by how much of it is free: the dynamic thresholds of
/// switches ("Dynamic Queue Length Thresholds for Shared-Memory Packet Switches", Choudhury and Hahne, 1998).
///
/// A client that is alone may hold nearly all of it, 8/9. Where `n` clients want as much as they can get, each ends up
/// with `8 / (8n + 1)`: whoever held more when the others came gets nothing more before it holds less. Something is
/// free at all times, so that a client who holds nothing gets some at once. No list of clients is needed for that.
struct FairShare: Equatable {
    /// The multiple of what is free that one client may hold.
    private static let eagerness = 8

    var capacity: Int
    /// The most that one client may hold while others hold any; nil: no such bound.
    var mostBesideOthers: Int?

    /// Decides whether a client may have `amount` more.
    ///
    /// - Parameters:
    ///   - held: The amount that the client holds already.
    ///   - used: The amount that all clients hold, this one included.
    func permits(_ amount: Int, to held: Int, of used: Int) -> Bool {
        let free = capacity - used
        guard amount <= free, held + amount <= Self.eagerness * (free - amount) else { return false }
        guard let mostBesideOthers, used > held else { return true }
        return held + amount <= mostBesideOthers
    }
}
