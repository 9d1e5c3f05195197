/// Room that one signature leaves to the next, so that this one allocates none for its base string.
///
/// Holds what was signed last, with all that the client's query and form say, but no secret of the signer's.
package struct SigningScratch: Sendable {
    /// The size of the largest buffer that is kept, in bytes of a base string and its parameters. What a larger one
    /// took is given up.
    private static let largestKept = 64 * 1024
    /// The number of parameters of the largest list that is kept.
    private static let mostParameters = 512

    private var list = ParameterList()

    package init() {}

    /// An empty list.
    ///
    /// - Parameter capacity: In bytes, encoded.
    mutating func takeList(capacity: Int) -> ParameterList {
        var list = ParameterList()
        swap(&list, &self.list)
        list.reset(capacity: capacity)
        return list
    }

    mutating func giveBack(_ base: consuming BaseString) {
        guard base.list.buffer.capacity <= Self.largestKept, base.list.parameters.count <= Self.mostParameters
        else { return }
        list = base.list
    }
}
