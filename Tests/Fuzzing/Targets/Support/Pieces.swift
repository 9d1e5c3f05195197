/// Cuts bytes into the pieces in which a network may deliver them.
enum Pieces {
    /// - Parameter seed: 0 cuts behind every byte, any other value at places of chance.
    static func of(_ bytes: [UInt8], seed: UInt8) -> [[UInt8]] {
        if seed == 0 { return bytes.map { [$0] } }
        var state = UInt64(seed)
        var pieces: [[UInt8]] = []
        var start = 0
        while start < bytes.count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // Short pieces, and now and then a long one.
            let count = state >> 62 == 0 ? Int(state >> 48 & 0xFF) + 1 : Int(state >> 48 & 0x0F) + 1
            let end = min(bytes.count, start + count)
            pieces.append(Array(bytes[start..<end]))
            start = end
        }
        return pieces
    }
}
