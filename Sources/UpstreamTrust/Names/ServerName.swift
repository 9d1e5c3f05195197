import Bytes

/// The host of a connection as certificates name it: a DNS name or an IP address.
package enum ServerName: Hashable, Sendable {
    /// In lower case and without a trailing dot, as ``init(host:)`` makes it.
    case dns(String)
    /// The 4 or 16 bytes of the address, in network order.
    case ip([UInt8])

    /// - Parameter host: A name, an IPv4 address in four decimal parts, or an IPv6 address (with or without brackets).
    package init(host: String) {
        var bytes = host.utf8[...]
        if bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") {
            bytes = bytes.dropFirst().dropLast()
        }
        if let address = IPAddress(text: Array(bytes).span) {
            self = .ip(address.bytes)
            return
        }
        var name = host.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        self = .dns(name)
    }

    /// The name, or the address in its canonical text form (RFC 5952), without brackets.
    package var text: String {
        switch self {
        case .dns(let name): name
        case .ip(let bytes): bytes.addressText
        }
    }
}

extension [UInt8] {
    /// The canonical text of an address of 4 or 16 bytes; that of bytes that are none, in hexadecimal digits.
    var addressText: String { IPAddress(bytes: self)?.description ?? Hexadecimal.encode(self) }
}

extension ServerName: CustomStringConvertible {
    package var description: String { PrintableText(text, limit: 255).description }
}
