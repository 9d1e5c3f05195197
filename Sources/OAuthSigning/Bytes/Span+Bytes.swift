extension Span<UInt8> {
    /// A copy of the bytes.
    package var array: [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(count)
        for index in indices { copy.append(self[index]) }
        return copy
    }

    func firstIndex(where matches: (UInt8) -> Bool) -> Int? {
        for index in indices where matches(self[index]) { return index }
        return nil
    }
}
