import NIOCore

/// The listeners that a reload is to bring: they are bound already, so that nothing of the reload can fail for them
/// later. What connects to a new one waits until the reload has taken place.
package struct MovedListeners: Sendable {
    let added: [ListenerKey: any Channel]

    /// The reload does not take place.
    package func abandon() {
        for channel in added.values { channel.close(promise: nil) }
    }
}
