package import Bytes

/// A host and a port (RFC 3986, section 3.2, without user information).
///
/// A name with a trailing dot is refused, not shortened: the bytes of the Host field, the certificate's name and the
/// signature would differ, and `api.example.com.` would pass by the rules for `api.example.com`.
package struct Authority: Hashable, Sendable {
    /// The host in lower case. An IPv6 address is in its canonical form (RFC 5952), without brackets.
    package let host: String
    package let port: Int

    /// `host` must be a name in lower case or an address in its canonical form.
    init(canonicalHost host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// - Parameter defaultPort: The port when the text names none; `nil` makes a port mandatory.
    package init(parsing text: String, defaultPort: Int?) throws(AuthoritySyntaxError) {
        try self.init(parsing: text.utf8Span.span, defaultPort: defaultPort)
    }

    /// The same authority on another port.
    package func with(port: Int) -> Authority {
        Authority(canonicalHost: host, port: port)
    }

    /// The address that is the host; nil when the host is a name.
    package var address: IPAddress? { IPAddress(host) }

    /// The value of a Host field: brackets around an IPv6 address, no port when it is the default one.
    package func fieldValue(defaultPort: Int) -> String {
        let name = bracketed(host: host)
        return port == defaultPort ? name : "\(name):\(port)"
    }
}

extension Authority: CustomStringConvertible {
    /// Always with its port: `example.com:443`, `[::1]:8443`.
    package var description: String { fieldValue(defaultPort: 0) }
}

extension Authority {
    /// RFC 3986, section 3.2, as far as HTTP needs it; strict.
    /// - Parameter defaultPort: The port when the bytes name none; `nil` makes a port mandatory.
    package init(parsing bytes: Span<UInt8>, defaultPort: Int?) throws(AuthoritySyntaxError) {
        var colon: Int?
        var bracket: Int?
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "@"):
                throw .userInformation
            case UInt8(ascii: "]"):
                bracket = index
                colon = nil
            case UInt8(ascii: ":") where colon != nil && bytes[0] != UInt8(ascii: "["):
                throw .unbracketedIPv6
            case UInt8(ascii: ":"):
                colon = index
            default:
                break
            }
        }
        let end = colon ?? bytes.count
        if bytes.count > 0, bytes[0] == UInt8(ascii: "[") {
            guard let bracket, bracket == end - 1 else { throw .badHost }
            host = try Self.ipv6Literal(bytes.extracting(1..<bracket))
        } else {
            host = try Self.name(bytes.extracting(0..<end))
        }
        if let colon {
            port = try Self.port(bytes.extracting((colon + 1)..<bytes.count))
        } else if let defaultPort {
            port = defaultPort
        } else {
            throw .missingPort
        }
    }

    private static func ipv6Literal(_ bytes: Span<UInt8>) throws(AuthoritySyntaxError) -> String {
        for index in bytes.indices where bytes[index] == UInt8(ascii: "%") { throw .zoneIdentifier }
        guard let address = IPAddress(ipv6: bytes) else { throw .badHost }
        return address.description
    }

    private static func port(_ bytes: Span<UInt8>) throws(AuthoritySyntaxError) -> Int {
        guard (1...5).contains(bytes.count) else { throw .badPort }
        var value = 0
        for index in bytes.indices {
            guard let digit = bytes[index].decimalValue else { throw .badPort }
            value = value * 10 + Int(digit)
        }
        guard (1...65535).contains(value) else { throw .badPort }
        return value
    }

    /// A DNS name of letters, digits, hyphens and underscores, or an IPv4 address.
    private static func name(_ bytes: Span<UInt8>) throws(AuthoritySyntaxError) -> String {
        guard bytes.count > 0 else { throw .emptyHost }
        guard bytes.count <= 254 else { throw .badHost }
        if bytes[bytes.count - 1] == UInt8(ascii: ".") { throw bytes.count == 1 ? .badHost : .trailingDot }
        var lowered: [UInt8] = []
        lowered.reserveCapacity(bytes.count)
        var labelStart = 0
        for index in bytes.indices {
            let byte = bytes[index]
            switch byte {
            case _ where byte.isUppercase:
                lowered.append(byte | 0x20)
            case _ where byte.isLowercase || byte.isDigit:
                lowered.append(byte)
            case UInt8(ascii: "-"), UInt8(ascii: "_"):
                lowered.append(byte)
            case UInt8(ascii: ".") where index > labelStart:
                lowered.append(byte)
                labelStart = index + 1
            default:
                throw .badHost
            }
            guard index - labelStart < 63 else { throw .badHost }
        }
        // What ends in a number is an address to many resolvers (`127.1`, `0x7f000001`), so only the one form that
        // every reader understands alike is taken.
        let last = lowered[labelStart...]
        if last.allSatisfy(\.isDigit) || last.starts(with: [0x30, 0x78]) {
            guard IPAddress(ipv4: bytes) != nil else { throw .badAddress }
        }
        return String(decoding: lowered, as: UTF8.self)
    }
}
