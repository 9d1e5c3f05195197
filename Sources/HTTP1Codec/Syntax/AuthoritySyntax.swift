import Bytes

/// The syntax of `uri-host [ ":" port ]` without user information (RFC 3986, section 3.2; RFC 9110, section 4.2.4).
package enum AuthoritySyntax {
    package enum Port { case optional, required }

    /// Returns whether the bytes are a host that is not empty, and a port where one is required. An IPv6 literal stands
    /// in brackets; a zone identifier is refused. What the host means is not judged here.
    package static func isValid(_ bytes: Span<UInt8>, port: Port) -> Bool {
        var index = 0
        if bytes.count > 0, bytes[0] == 0x5B {
            index = 1
            while index < bytes.count, bytes[index].isAddressByte { index &+= 1 }
            guard index > 1, index < bytes.count, bytes[index] == 0x5D else { return false }
            index &+= 1
        } else {
            while index < bytes.count, bytes[index].isRegisteredNameByte { index &+= 1 }
            guard index > 0 else { return false }
        }
        if index == bytes.count { return port == .optional }
        guard bytes[index] == 0x3A else { return false }
        var number = 0
        for digit in index &+ 1..<bytes.count {
            guard let value = bytes[digit].decimalValue else { return false }
            number = number &* 10 &+ Int(value)
            guard number <= 65_535 else { return false }
        }
        // "host:" with an empty port is allowed by the grammar, but a CONNECT must name its port.
        return port == .optional || index &+ 1 < bytes.count
    }
}

extension UInt8 {
    /// A digit, a letter from a to f, `:` or `.`.
    fileprivate var isAddressByte: Bool {
        self == 0x3A || self == 0x2E || hexadecimalValue != nil
    }

    /// unreserved, sub-delims or `%` (RFC 3986, section 3.2.2).
    fileprivate var isRegisteredNameByte: Bool {
        if isLetterOrDigit { return true }
        switch self {
        case 0x2D, 0x2E, 0x5F, 0x7E: return true
        case 0x21, 0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x2B, 0x2C, 0x3B, 0x3D: return true
        default: return false
        }
    }
}
