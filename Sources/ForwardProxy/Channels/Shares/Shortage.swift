/// The reason why a connection is one too many.
enum Shortage {
    /// There are as many as `limits.connections` allows, or its address has its share of these.
    case places
    /// Its address has its share of all that are open, those upstream included.
    case share
}
