/// The four forms of a request target (RFC 9112, section 3.2).
package enum RequestTargetForm: Sendable, Equatable {
    case origin
    case absolute
    case authority
    case asterisk
}
