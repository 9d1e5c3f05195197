/// Why a connection is one too many.
enum Shortage {
    /// There are as many as `limits.connections` allows.
    case places
    /// Its address has its share of all that are open.
    case share
}
