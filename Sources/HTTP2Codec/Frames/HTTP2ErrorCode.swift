/// The reason why a stream or a connection ends. Those of RFC 9113, section 7, have names, also where only a peer gives
/// them; any other is kept as it is, so that it can be passed on.
package struct HTTP2ErrorCode: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let noError = HTTP2ErrorCode(rawValue: 0x0)
    package static let protocolError = HTTP2ErrorCode(rawValue: 0x1)
    package static let internalError = HTTP2ErrorCode(rawValue: 0x2)
    package static let flowControlError = HTTP2ErrorCode(rawValue: 0x3)
    package static let settingsTimeout = HTTP2ErrorCode(rawValue: 0x4)
    package static let streamClosed = HTTP2ErrorCode(rawValue: 0x5)
    package static let frameSizeError = HTTP2ErrorCode(rawValue: 0x6)
    /// The stream was not processed at all: the request may be repeated on another connection.
    package static let refusedStream = HTTP2ErrorCode(rawValue: 0x7)
    package static let cancel = HTTP2ErrorCode(rawValue: 0x8)
    package static let compressionError = HTTP2ErrorCode(rawValue: 0x9)
    package static let connectError = HTTP2ErrorCode(rawValue: 0xA)
    package static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 0xB)
    package static let inadequateSecurity = HTTP2ErrorCode(rawValue: 0xC)
    /// The server wants this request by HTTP/1.1.
    package static let http11Required = HTTP2ErrorCode(rawValue: 0xD)

    private static let labels = [
        "no_error", "protocol_error", "internal_error", "flow_control_error", "settings_timeout", "stream_closed",
        "frame_size_error", "refused_stream", "cancel", "compression_error", "connect_error", "enhance_your_calm",
        "inadequate_security", "http_1_1_required",
    ]

    /// A word for metrics and logs, out of a fixed set.
    package var label: String {
        Int(rawValue) < Self.labels.count ? Self.labels[Int(rawValue)] : "unregistered"
    }
}
