/// Which end of a connection this is.
package enum HTTP2Role: Sendable, Equatable {
    case client
    case server
}
