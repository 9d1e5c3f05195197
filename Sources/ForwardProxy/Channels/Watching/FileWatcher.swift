package import DirectoryWatching
package import Files
import Glibc
package import NIOCore
import NIOPosix
import SystemPackage

/// Tells when files have changed (inotify(7)): written in place, replaced by another one, reached by another link,
/// removed, or made.
///
/// Directories are watched and not files, for a name stands for another file after each replacement. Those that are
/// watched are found again after each change, since links may lead through others by then.
package final class FileWatcher: Sendable {
    private enum Order: Sendable {
        case watch([SeenFile])
        /// A change was followed by a quiet time, or by others for long.
        case look
    }

    /// The time without a change after which a change is told: who writes several files is done by then.
    package static let quietTime = TimeAmount.seconds(1)

    /// The time after the first change in which it is told, though others follow it without a pause.
    static let longestWait = TimeAmount.seconds(10)

    private static let events =
        IN_CREATE | IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF

    private let names = WatchedNames()
    private let channel: any Channel
    private let handler: NIOLoopBound<FileWatchHandler>
    /// The same instance as the channel's, which may close its own descriptor at any time.
    private let descriptor: CInt
    private let orders: AsyncStream<Order>
    private let newOrders: AsyncStream<Order>.Continuation

    /// - Throws: ``DirectoryWatchError``, or NIO's when the event loop does not run.
    package init(eventLoop: any EventLoop, clock: any ProxyClock = SystemClock.shared) async throws {
        let (orders, newOrders) = AsyncStream.makeStream(of: Order.self)
        (self.orders, self.newOrders) = (orders, newOrders)
        let instance: CInt
        do throws(Errno) {
            instance = try Inotify.open()
        } catch {
            throw DirectoryWatchError(directory: nil, code: error)
        }
        descriptor = fcntl(instance, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else {
            let error = DirectoryWatchError(directory: nil, code: .last)
            _ = close(instance)
            throw error
        }
        do {
            handler = try await eventLoop.submit { [names] in
                let handler = FileWatchHandler(clock: clock, names: names) { newOrders.yield(.look) }
                return NIOLoopBound(handler, eventLoop: eventLoop)
            }.get()
        } catch {
            _ = close(instance)
            _ = close(descriptor)
            throw error
        }
        do {
            channel = try await Inotify.read(instance, on: eventLoop) { [handler] in handler.value }
        } catch {
            _ = close(descriptor)
            throw error
        }
    }

    deinit { _ = close(descriptor) }

    /// Watches these files and no others. A change since they were seen is told, too.
    package func watch(_ files: [SeenFile]) {
        newOrders.yield(.watch(files))
    }

    /// Ends ``run(changed:failed:)``, soon.
    package func stop() {
        newOrders.finish()
    }

    /// Watches until ``stop()``. A change is told again, after each further one, until ``watch(_:)`` is called.
    ///
    /// - Parameters:
    ///   - changed: Given the paths of the files that have changed, each once.
    ///   - failed: Told a directory that cannot be watched, once until it can be again.
    package func run(
        changed: ([String]) -> Void,
        failed: (DirectoryWatchError) -> Void
    ) async {
        var files: [SeenFile] = []
        var unwatched: Set<String?> = []
        for await order in orders {
            if case .watch(let next) = order { files = next }
            // Whatever happens from here on has an event.
            guard
                let (errors, changes) = try? await NIOThreadPool.singleton.runIfActive({ [self, files] in
                    (follow(files), Set(files.filter(\.hasChanged).map(\.path)).sorted())
                })
            else { break }
            for error in errors where !unwatched.contains(error.directory) { failed(error) }
            unwatched = Set(errors.map(\.directory))
            guard !changes.isEmpty else { continue }
            switch order {
            case .watch: channel.eventLoop.execute { [handler] in handler.value.awaitQuiet() }
            case .look: changed(changes)
            }
        }
        try? await channel.close()
    }

    /// Watches the directories that the files' paths lead through, and no others.
    private func follow(_ files: [SeenFile]) -> [DirectoryWatchError] {
        var wanted: [String: Set<String>] = [:]
        var needed: Set<String> = []
        for file in files {
            for entry in PathTrail(file.path).entries {
                wanted[entry.directory, default: []].insert(entry.name)
                // That a directory is replaced is rare, and those above may be closed to this user.
                if !entry.isDirectory { needed.insert(entry.directory) }
            }
        }
        var watches: [CInt: Set<String>] = [:]
        var errors: [DirectoryWatchError] = []
        for (directory, names) in wanted {
            do throws(Errno) {
                let watch = try Inotify.watch(directory, for: Self.events, by: descriptor)
                watches[watch, default: []].formUnion(names)
            } catch {
                // What has gone since it was found is seen below: the file is another one by now.
                guard !error.isAbsence, needed.contains(directory) else { continue }
                errors.append(DirectoryWatchError(directory: directory, code: error))
            }
        }
        for watch in names.replace(by: watches) { inotify_rm_watch(descriptor, watch) }
        return errors
    }
}
