/// Where HTTP/2 is spoken, beside HTTP/1.1.
package struct HTTP2Use: Hashable, Sendable {
    /// Whether clients of intercepted hosts are offered it.
    package var clients = true
    /// Whether it is spoken with servers that offer it; an API may say otherwise.
    package var upstreams = true

    package init() {}
}
