/// A file as it was at some time, so as to tell later whether it is another one by then.
///
/// It is told by what the system says of it, not by what is in it: another content of the same length that is written
/// within a tick of the kernel's clock, some milliseconds, is not noticed.
///
/// What is no regular file, such as a pipe, has nothing that could be compared: it never changes.
package struct SeenFile: Hashable, Sendable {
    package let path: String
    private let stamp: Directory.Stamp?

    /// Looks at a file as it is now. Links are followed.
    package init(_ path: String) {
        self.path = path
        let stamp = (try? Directory.stamp(path: path)) ?? nil
        self.stamp = stamp.flatMap { $0.isRegularFile ? $0 : nil }
    }

    /// Indicates whether it was there.
    package var isThere: Bool { stamp != nil }

    /// Indicates whether it is another file by now, or has been written to, or is gone.
    package var hasChanged: Bool { SeenFile(path) != self }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(path)
    }
}
