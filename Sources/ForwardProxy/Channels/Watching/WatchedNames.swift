import DirectoryWatching
import Synchronization

/// The names in each watched directory that events count for.
final class WatchedNames: Sendable {
    private let storage = Mutex<[CInt: Set<String>]>([:])

    /// Replaces the names that count, and their watches, from now on.
    ///
    /// - Returns: The watches that none counts for any more.
    func replace(by names: [CInt: Set<String>]) -> [CInt] {
        storage.withLock { storage in
            defer { storage = names }
            return storage.keys.filter { names[$0] == nil }
        }
    }

    /// Returns whether one of the files may have changed, or its directory gone.
    func count(_ event: InotifyEvent) -> Bool {
        if event.isOverflow { return true }
        return storage.withLock { storage in
            // What comes of a watch that was given up is of no interest, its end above all.
            guard let names = storage[event.watch] else { return false }
            return event.isEndOfWatch || event.name.map { names.contains($0) } == true
        }
    }
}
