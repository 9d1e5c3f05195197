/// A host as it stands in a URL or before a port: brackets around an IPv6 address (RFC 3986, section 3.2.2).
///
/// - Parameter host: A name or an address, without brackets.
package func bracketed(host: String) -> String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
}
