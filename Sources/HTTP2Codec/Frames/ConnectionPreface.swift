/// The bytes that a client sends before its first frame (RFC 9113, section 3.4).
enum ConnectionPreface {
    static let text: StaticString = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    static let bytes = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
}
