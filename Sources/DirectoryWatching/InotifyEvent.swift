import Glibc
package import NIOCore

/// An event of inotify(7).
package struct InotifyEvent {
    /// The watch that it is of; -1 where events of any may be missing.
    package let watch: CInt
    private let mask: UInt32
    /// The name of the entry that it is about; nil: it is about the directory itself, or the name is not UTF-8.
    package let name: String?

    /// Indicates whether it is about a directory within the one that is watched.
    package var isOfDirectory: Bool { mask & UInt32(IN_ISDIR) != 0 }

    /// Indicates whether events were lost because there were too many.
    package var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }

    /// Indicates whether the watch ends, or events of it may be missing.
    package var isEndOfWatch: Bool {
        mask & UInt32(IN_Q_OVERFLOW | IN_IGNORED | IN_UNMOUNT | IN_DELETE_SELF | IN_MOVE_SELF) != 0
    }

    /// Takes the next event out of what the kernel gave: four 32-bit numbers in the machine's order (watch, mask,
    /// cookie, length) and a name of that length, padded with zero bytes. The kernel gives whole events only.
    ///
    /// - Returns: Nil where no whole event is left.
    package init?(from buffer: inout ByteBuffer) {
        guard
            let (watch, mask, _, count) = buffer.readMultipleIntegers(
                endianness: .host,
                as: (Int32, UInt32, UInt32, UInt32).self
            ),
            let bytes = buffer.readBytes(length: Int(count))
        else { return nil }
        self.watch = watch
        self.mask = mask
        let name = bytes.prefix { $0 != 0 }
        self.name = name.isEmpty ? nil : String(validating: name, as: UTF8.self)
    }
}
