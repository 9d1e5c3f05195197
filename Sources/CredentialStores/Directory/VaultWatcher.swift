import DirectoryWatching
import Glibc
package import NIOCore
import NIOPosix
import SystemPackage

/// Tells which of a vault's credentials were stored or removed, by whatever process (inotify(7)).
package final class VaultWatcher: Sendable {
    /// The changes of a vault's files, in one go.
    package struct Changes: Sendable, Equatable {
        /// The names of the files that were put in place or removed; each once, in the order of the first change.
        package var fileNames: [String] = []
        /// Indicates whether changes of any file may have gone untold: there were too many at once, or the directory
        /// itself was moved or removed. In the latter case nothing more will be told.
        package var hasOverflowed = false

        var isEmpty: Bool { fileNames.isEmpty && !hasOverflowed }
    }

    private let channel: any Channel

    /// Returns when the directory is being watched: whatever is changed from then on is told.
    ///
    /// - Parameters:
    ///   - directory: The vault's `changesPath`.
    ///   - changed: Called on the event loop, soon after a change, with all that happened meanwhile.
    /// - Throws: ``DirectoryWatchError``, or NIO's when the event loop does not run.
    package init(
        directory: String,
        eventLoop: any EventLoop,
        changed: @escaping @Sendable (Changes) -> Void
    ) async throws {
        let descriptor: CInt
        do {
            descriptor = try await NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) {
                try VaultWatcher.watch(directory)
            }.get()
        } catch let code as Errno {
            throw DirectoryWatchError(directory: directory, code: code)
        }
        channel = try await Inotify.read(descriptor, on: eventLoop) { InotifyHandler(changed: changed) }
    }

    /// Ends the watching: when it returns nothing more is told.
    package func stop() async {
        try? await channel.close()
    }

    private static func watch(_ directory: String) throws(Errno) -> CInt {
        let descriptor = try Inotify.open()
        do throws(Errno) {
            let events = IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF
            _ = try Inotify.watch(directory, for: events, by: descriptor)
        } catch {
            _ = close(descriptor)
            throw error
        }
        return descriptor
    }
}
