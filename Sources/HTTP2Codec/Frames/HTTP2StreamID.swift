/// The number of a stream: odd for those that a client opens, 0 for the connection itself (RFC 9113, section 5.1.1).
package typealias HTTP2StreamID = UInt32

extension HTTP2StreamID {
    static let connection: HTTP2StreamID = 0
    static let last: HTTP2StreamID = 0x7FFF_FFFF

    var isOfClient: Bool { self & 1 == 1 }
}
