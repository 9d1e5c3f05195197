import Files
import Glibc
package import NIOCore
import NIOPosix
package import SystemPackage

/// The system calls of inotify(7).
package enum Inotify {
    /// Makes an instance, which watches nothing yet.
    package static func open() throws(Errno) -> CInt {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { throw .last }
        return descriptor
    }

    /// Watches a directory; what is watched already keeps its number.
    package static func watch(_ directory: String, for events: Int32, by descriptor: CInt) throws(Errno) -> CInt {
        let watch = inotify_add_watch(descriptor, directory, UInt32(events | IN_ONLYDIR))
        guard watch >= 0 else { throw .last }
        return watch
    }

    /// Passes an instance's events to a handler, which is made on the event loop.
    ///
    /// - Returns: The channel, which the instance belongs to from now on. When this throws, the instance is closed.
    package static func read(
        _ descriptor: CInt,
        on eventLoop: any EventLoop,
        by handler: @escaping @Sendable () -> some ChannelInboundHandler
    ) async throws -> any Channel {
        let bootstrap = NIOPipeBootstrap(group: eventLoop)
            // inotify refuses to be read with less room than its longest event needs.
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65_536))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(handler())
                }
            }
        do {
            return try await bootstrap.takingOwnershipOfDescriptor(input: descriptor).get()
        } catch {
            _ = close(descriptor)
            throw error
        }
    }
}
