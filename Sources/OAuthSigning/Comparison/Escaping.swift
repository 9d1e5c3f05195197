/// How some signer percent-encodes; as it stands, the way of RFC 5849 §3.6.
struct Escaping: Equatable, Sendable {
    /// 0 leaves everything as it is, 2 encodes what is encoded already.
    var rounds = 1
    var usesLowercaseDigits = false
    var spaceIsPlus = false
    /// Left alone although they are reserved.
    var unescaped: [UInt8] = []
    /// Encoded although they are unreserved.
    var escaped: [UInt8] = []

    func escape(_ octets: [UInt8]) -> [UInt8] {
        (0..<rounds).reduce(octets) { encoded, _ in once(encoded) }
    }

    private func once(_ octets: [UInt8]) -> [UInt8] {
        let digits = Array((usesLowercaseDigits ? "0123456789abcdef" : "0123456789ABCDEF").utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(octets.count)
        for octet in octets {
            if spaceIsPlus, octet == UInt8(ascii: " ") {
                encoded.append(UInt8(ascii: "+"))
            } else if PercentEncoding.isUnreserved(octet) ? !escaped.contains(octet) : unescaped.contains(octet) {
                encoded.append(octet)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(octet >> 4)], digits[Int(octet & 15)]]
            }
        }
        return encoded
    }
}
