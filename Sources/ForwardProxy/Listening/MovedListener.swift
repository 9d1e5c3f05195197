import NIOCore

/// The listener that a reload is to bring: it is bound already, so that nothing of the reload can fail for it later.
package struct MovedListener: Sendable {
    /// Nil: the present one stays.
    let channel: (any Channel)?

    /// The reload does not take place.
    package func abandon() {
        channel?.close(promise: nil)
    }
}
