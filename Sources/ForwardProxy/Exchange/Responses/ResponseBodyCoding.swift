/// The way in which the bytes of a response's body are framed for the client.
enum ResponseBodyCoding: Equatable {
    /// The bytes go as they come: there are none, or a Content-Length counts them, or the connection's end delimits
    /// them.
    case none
    /// The bytes go in chunks (RFC 9112, section 7.1).
    case chunked
}
