import Bytes

/// The way in which some signer percent-encodes; as it stands, that of RFC 5849, section 3.6.
struct Escaping: Equatable, Sendable {
    /// The number of times that bytes are encoded: 0 leaves everything as it is, 2 encodes what is encoded already.
    var rounds = 1
    var usesLowercaseDigits = false
    var spaceIsPlus = false
    /// The bytes left alone although they are reserved.
    var unescaped: [UInt8] = []
    /// The bytes encoded although they are unreserved.
    var escaped: [UInt8] = []

    func escape(_ bytes: [UInt8]) -> [UInt8] {
        (0..<rounds).reduce(bytes) { encoded, _ in once(encoded) }
    }

    private func once(_ bytes: [UInt8]) -> [UInt8] {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count)
        for byte in bytes {
            if spaceIsPlus, byte == UInt8(ascii: " ") {
                encoded.append(UInt8(ascii: "+"))
            } else if PercentEncoding.isUnreserved(byte) ? !escaped.contains(byte) : unescaped.contains(byte) {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                Hexadecimal.append(byte, uppercase: !usesLowercaseDigits, to: &encoded)
            }
        }
        return encoded
    }
}
