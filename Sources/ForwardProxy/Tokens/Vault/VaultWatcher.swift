import Files
import Glibc
package import NIOCore
import NIOPosix
import SystemPackage

/// Tells which of a vault's credentials were stored or removed, by whatever process (inotify(7)).
package final class VaultWatcher: Sendable {
    /// The reason why a directory cannot be watched.
    package struct StartError: Error, CustomStringConvertible {
        let directory: String
        let code: Errno

        package var description: String {
            let failure = "The directory \(directory) cannot be watched for changes"
            switch code {
            case .tooManyOpenFiles, .noSpace:
                return "\(failure): the user has as many inotify instances or watches as the system allows. "
                    + "Raise fs.inotify.max_user_instances or fs.inotify.max_user_watches (sysctl)."
            default: return "\(failure): \(code.reason)."
            }
        }
    }

    /// The changes of a vault's files, in one go.
    package struct Changes: Sendable, Equatable {
        /// The names of the files that were put in place or removed; each once, in the order of the first change.
        package var fileNames: [String] = []
        /// Indicates whether changes of any file may have gone untold: there were too many at once, or the directory itself
        /// was moved or removed. In the latter case nothing more will be told.
        package var overflowed = false

        var isEmpty: Bool { fileNames.isEmpty && !overflowed }
    }

    private let channel: any Channel

    /// Returns when the directory is being watched: whatever is changed from then on is told.
    ///
    /// - Parameters:
    ///   - directory: The vault's `changesPath`.
    ///   - changed: Called on the event loop, soon after a change, with all that happened meanwhile.
    /// - Throws: ``StartError``, or NIO's when the event loop does not run.
    package init(
        directory: String,
        eventLoop: any EventLoop,
        changed: @escaping @Sendable (Changes) -> Void
    ) async throws {
        let descriptor = try Self.watch(directory)
        let bootstrap = NIOPipeBootstrap(group: eventLoop)
            // inotify refuses to be read with less room than its longest event needs.
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65_536))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(InotifyHandler(changed: changed))
                }
            }
        do {
            channel = try await bootstrap.takingOwnershipOfDescriptor(input: descriptor).get()
        } catch {
            _ = close(descriptor)
            throw error
        }
    }

    /// Ends the watching: when it returns nothing more is told.
    package func stop() async {
        try? await channel.close()
    }

    private static func watch(_ directory: String) throws(StartError) -> Int32 {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { throw StartError(directory: directory, code: Errno(rawValue: errno)) }
        let events = IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
        guard inotify_add_watch(descriptor, directory, UInt32(events)) >= 0 else {
            let code = Errno(rawValue: errno)
            _ = close(descriptor)
            throw StartError(directory: directory, code: code)
        }
        return descriptor
    }
}
