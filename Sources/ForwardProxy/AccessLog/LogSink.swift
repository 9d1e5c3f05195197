import Glibc
package import NIOCore
import Synchronization

/// Where log lines go: a file descriptor that all event loops write whole lines to.
package final class LogSink: Sendable {
    private let descriptor: Int32
    private let closes: Bool
    private let lock = Mutex(())

    /// - Parameters:
    ///   - descriptor: stays open for the life of the sink.
    ///   - closes: whether it is closed at the end of that.
    package init(descriptor: Int32, closes: Bool = false) {
        self.descriptor = descriptor
        self.closes = closes
    }

    deinit {
        if closes { Glibc.close(descriptor) }
    }

    package static let standardError = LogSink(descriptor: STDERR_FILENO)

    /// Writes whole lines. What cannot be written (a closed pipe, a full disk) is dropped.
    package func write(_ lines: ByteBuffer) {
        lock.withLock { _ in
            var rest = lines
            while rest.readableBytes > 0 {
                // The pointer is used within the call only.
                let count = rest.withUnsafeReadableBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if count > 0 {
                    rest.moveReaderIndex(forwardBy: count)
                } else if errno != EINTR {
                    return
                }
            }
        }
    }
}
