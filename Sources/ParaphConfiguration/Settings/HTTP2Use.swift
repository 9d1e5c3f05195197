/// The connections on which HTTP/2 is spoken, beside HTTP/1.1.
package struct HTTP2Use: Hashable, Sendable {
    /// Indicates whether clients of intercepted hosts are offered it.
    package var clients = true
    /// Indicates whether it is spoken with servers that offer it; an API may say otherwise.
    package var upstreams = true

    package init() {}
}
