/// Room that one signature leaves to the next, so that this one allocates none for its base string
/// and for itself.
///
/// Holds what was signed last, with all that the client's query and form say, but no secret of the signer's.
package struct SigningScratch: Sendable {
    /// The size of the largest buffer that is kept, in bytes of a base string and its parameters. What a larger one
    /// took is given up.
    private static let largestKept = 64 * 1024
    /// The number of parameters of the largest list that is kept.
    private static let mostParameters = 512

    private var list = ParameterList()
    private var signature: [UInt8] = []

    package init() {}

    /// An empty list.
    ///
    /// - Parameter capacity: The room in bytes, encoded.
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

    /// An empty array.
    mutating func takeSignature() -> [UInt8] {
        var signature: [UInt8] = []
        swap(&signature, &self.signature)
        signature.removeAll(keepingCapacity: true)
        return signature
    }

    /// - Parameter signature: One that shows no secret, as that of PLAINTEXT does.
    mutating func giveBack(_ signature: consuming [UInt8]) {
        self.signature = signature
    }
}
