/// The schemes that a request by HTTP/2 may name in `:scheme` (RFC 9113, section 8.3.1).
package enum RequestScheme: Sendable, Equatable {
    case http
    case https
}
