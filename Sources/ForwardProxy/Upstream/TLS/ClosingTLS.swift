import NIOCore

/// The way in which TLS connections end.
enum ClosingTLS {
    /// The time for which the peer's close_notify is waited for once a connection is closed for good. All that had to
    /// reach the peer has been flushed by then, or is to be cut off; many peers never send it.
    static let timeout = TimeAmount.milliseconds(100)
}
