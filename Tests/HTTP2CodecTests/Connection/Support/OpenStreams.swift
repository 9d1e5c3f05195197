@testable import HTTP2Codec

extension HTTP2Connection {
    /// The streams that are not closed, in no order.
    var openStreamIDs: [HTTP2StreamID] { streams.places.map { streams[$0].streamID } }
}
