/// What stands between parameters is a scalar: with one behind it that combines, it is no character of its own.
extension StringProtocol {
    /// Returns what stands before the first scalar of a kind, or all of it.
    func part(beforeScalar isEnd: (Unicode.Scalar) -> Bool) -> SubSequence {
        self[..<(unicodeScalars.firstIndex(where: isEnd) ?? endIndex)]
    }

    /// Returns what stands behind the scalar at an index.
    func part(afterScalarAt index: Index) -> SubSequence { self[unicodeScalars.index(after: index)...] }
}
