import FoundationEssentials

extension Data {
    /// Holds nothing else than the octets of the span: room is reserved once, so that no copy is left behind by growing.
    init(copying octets: Span<UInt8>) {
        self.init(capacity: octets.count)
        for index in octets.indices { append(octets[index]) }
    }

    /// Overwrites a secret that is no longer needed. Only of use where nothing else shares the storage.
    mutating func wipe() {
        resetBytes(in: startIndex..<endIndex)
    }
}
