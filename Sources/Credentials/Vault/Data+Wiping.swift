import FoundationEssentials

extension Data {
    /// Holds nothing else than the bytes of the span: room is reserved once, so that no copy is left behind by growing.
    init(copying bytes: Span<UInt8>) {
        self.init(capacity: bytes.count)
        for index in bytes.indices { append(bytes[index]) }
    }

    /// Overwrites a secret that is no longer needed. Only of use where nothing else shares the storage.
    mutating func wipe() {
        resetBytes(in: startIndex..<endIndex)
    }
}
