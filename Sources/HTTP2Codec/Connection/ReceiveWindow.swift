/// The flow-control window of a connection for what is received (RFC 9113, section 6.9). It is given back as bytes
/// arrive: a stream whose bytes wait at the caller must not stop the others.
struct ReceiveWindow: Sendable {
    private let size: Int
    /// The bytes that the peer may still send.
    private var rest: Int

    init(size: Int) {
        self.size = size
        rest = size
    }

    /// Counts the payload of a DATA frame.
    ///
    /// - Returns: The bytes to give back now; 0 as long as they are not worth a frame.
    mutating func take(_ count: Int) throws(HTTP2ConnectionError) -> Int {
        guard count <= rest else { throw .windowExceeded }
        rest -= count
        let missing = size - rest
        guard missing >= size / 2 else { return 0 }
        rest = size
        return missing
    }
}
