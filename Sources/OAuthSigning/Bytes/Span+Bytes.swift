extension Span<UInt8> {
    /// A copy of the bytes.
    package var array: [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(count)
        for index in indices { copy.append(self[index]) }
        return copy
    }

    /// Returns whether the bytes are those of `text`.
    func equals(_ text: some Collection<UInt8>) -> Bool {
        guard count == text.count else { return false }
        var position = 0
        for byte in text {
            guard self[position] == byte else { return false }
            position += 1
        }
        return true
    }

    func firstIndex(where matches: (UInt8) -> Bool) -> Int? {
        for index in indices where matches(self[index]) { return index }
        return nil
    }
}
