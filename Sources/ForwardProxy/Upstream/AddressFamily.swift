/// Which addresses of a name are asked for.
package enum AddressFamily: Sendable {
    case any
    case ipv4
}
