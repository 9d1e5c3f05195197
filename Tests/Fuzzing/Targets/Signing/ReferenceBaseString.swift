/// The signature base string once more, written from the text of RFC 5849, section 3.4.1, as plainly as it goes; it
/// shares nothing with what it is compared with.
enum ReferenceBaseString {
    typealias Pair = (name: [UInt8], value: [UInt8])

    static func text(
        method: [UInt8],
        scheme: String,
        authority: [UInt8],
        target: [UInt8],
        form: [UInt8]?,
        protocolParameters: [Pair]
    ) -> String {
        let path = Array(target.prefix { $0 != 0x3F })
        let query = Array(target.dropFirst(path.count + 1))
        // RFC 5849, section 3.4.1.3.1: the query, the Authorization field, the form; without the signature.
        let pairs = self.pairs(query) + protocolParameters + (form.map { self.pairs($0) } ?? [])
        let encoded = pairs.filter { $0.name != Array("oauth_signature".utf8) }
            .map { (name: self.encoded($0.name), value: self.encoded($0.value)) }
        // RFC 5849, section 3.4.1.3.2: sorted by name, and those of one name by value, byte by byte.
        let sorted = encoded.sorted { one, other in
            one.name == other.name
                ? one.value.lexicographicallyPrecedes(other.value) : one.name.lexicographicallyPrecedes(other.name)
        }
        let normalized = sorted.map { $0.name + [0x3D] + $0.value }.joined(separator: [0x26])
        let parts = [
            method.map { 0x61...0x7A ~= $0 ? $0 - 0x20 : $0 },
            // An asterisk is a whole target.
            uri(scheme: scheme, authority: authority, path: target == [0x2A] ? [] : path),
            Array(normalized),
        ]
        return parts.map { String(decoding: self.encoded($0), as: UTF8.self) }.joined(separator: "&")
    }

    /// The base string URI (RFC 5849, section 3.4.1.2).
    private static func uri(scheme: String, authority: [UInt8], path: [UInt8]) -> [UInt8] {
        var host = authority.map { 0x41...0x5A ~= $0 ? $0 + 0x20 : $0 }
        if let colon = host.lastIndex(of: 0x3A) {
            let port = host[(colon + 1)...]
            let digits = String(decoding: port, as: UTF8.self)
            let isOwn = port.allSatisfy { 0x30...0x39 ~= $0 } && Self.isPort(digits, scheme == "http" ? "80" : "443")
            if port.isEmpty || isOwn { host.removeSubrange(colon...) }
        }
        return Array("\(scheme)://".utf8) + host + (path.isEmpty ? [0x2F] : path)
    }

    /// Indicates whether the digits are this number, zeros before it aside.
    private static func isPort(_ digits: String, _ port: String) -> Bool {
        String(digits.drop { $0 == "0" }) == port
    }

    /// A form, as RFC 5849, section 3.4.1.3.1 has it decoded.
    private static func pairs(_ form: [UInt8]) -> [Pair] {
        form.split(separator: 0x26).map { pair in
            let name = pair.prefix { $0 != 0x3D }
            return (name: decoded(name), value: decoded(pair.dropFirst(name.count + 1)))
        }
    }

    /// Percent-encoding undone, and `+` for a space; what is no percent-encoding stands for itself.
    static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes
        while let first = rest.popFirst() {
            let digits = rest.prefix(2)
            let isHexadecimal =
                digits.count == 2
                && digits.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x46 ~= $0 || 0x61...0x66 ~= $0 }
            if first == 0x25, isHexadecimal, let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) {
                result.append(byte)
                rest = rest.dropFirst(2)
            } else {
                result.append(first == 0x2B ? 0x20 : first)
            }
        }
        return result
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
    private static let unreserved = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8
    )

    /// Percent-encoding (RFC 5849, section 3.6).
    static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for byte in bytes {
            if unreserved.contains(byte) {
                result.append(byte)
            } else {
                result.append(0x25)
                result.append(digits[Int(byte >> 4)])
                result.append(digits[Int(byte & 15)])
            }
        }
        return result
    }
}
