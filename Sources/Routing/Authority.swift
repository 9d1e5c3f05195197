package import Bytes

/// A host and a port (RFC 3986, section 3.2, without user information).
///
/// A name with a trailing dot is refused, not shortened: the bytes of the Host field, the certificate's name and the
/// signature would differ, and `api.example.com.` would pass by the rules for `api.example.com`.
package struct Authority: Hashable, Sendable {
    /// In lower case. An IPv6 address is in its canonical form (RFC 5952), without brackets.
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

    /// `nil` when the host is a name.
    package var address: IPAddress? { IPAddress(host) }

    /// The value of a Host field: brackets around an IPv6 address, no port when it is the default one.
    package func fieldValue(defaultPort: Int) -> String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return port == defaultPort ? name : "\(name):\(port)"
    }
}

extension Authority: CustomStringConvertible {
    /// Always with its port: `example.com:443`, `[::1]:8443`.
    package var description: String { fieldValue(defaultPort: 0) }
}
