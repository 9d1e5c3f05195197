extension Span<UInt8> {
    /// A copy of the bytes.
    @inlinable
    package var array: [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(count)
        for index in indices { copy.append(self[index]) }
        return copy
    }

    /// The text that the bytes are in UTF-8; nil when they are none.
    package var text: String? {
        guard let valid = try? UTF8Span(validating: self) else { return nil }
        return String(copying: valid)
    }

    /// Returns the first index of a byte for which `matches` returns true.
    @inlinable
    package func firstIndex(where matches: (UInt8) -> Bool) -> Int? {
        for index in indices where matches(self[index]) { return index }
        return nil
    }

    /// Returns whether two spans are equal.
    @inlinable
    package func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }
}
