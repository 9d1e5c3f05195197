/// The reason why a server's certificates could not be looked at.
package struct UpstreamProbeError: Error, Equatable, CustomStringConvertible {
    /// A sentence for the person who asked: what went wrong, where, and what to do next.
    package let sentence: String

    package var description: String { sentence }
}
