/// A name as the resolver is asked for it.
struct LookedUpName: Hashable, Sendable {
    var host: String
    /// The port that the addresses are to have.
    var port: Int
}
