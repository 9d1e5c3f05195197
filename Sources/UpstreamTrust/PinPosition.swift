/// Which certificates of the validated path a pin may be of.
///
/// A path of one certificate, which the server presents and which is itself a trusted root, has a leaf that is the root
/// too: both positions hold it.
package enum PinPosition: String, CaseIterable, Sendable {
    case any
    /// The server's own certificate.
    case leaf
    /// Those between the leaf and the trusted root; there may be none.
    case intermediate
    /// The trusted certificate that the path ends at, whether it is self-signed or not.
    case root

    /// - Parameter path: Leaf first, trusted root last.
    func certificates<Certificate>(of path: [Certificate]) -> ArraySlice<Certificate> {
        switch self {
        case .any: path[...]
        case .leaf: path.prefix(1)
        case .intermediate: path.dropFirst().dropLast()
        case .root: path.suffix(1)
        }
    }
}
