import Glibc
package import SystemPackage

/// A lock of one number in a file, against other processes and other values of this one: an open file description lock
/// of the byte at that place (fcntl(2)), which need not exist. It ends with the value, or with the process.
package final class NumberLock: Sendable {
    /// `F_OFD_SETLK` of linux/fcntl.h, which Swift's module of glibc leaves out.
    private static let setLock: Int32 = 37

    private let descriptor: Int32

    /// Takes the lock; nil when somebody else has it.
    ///
    /// - Parameters:
    ///   - number: The number, not negative.
    ///   - name: The file's, which is made, 0600, when it does not exist.
    package init?(_ number: Int64, of name: String, in directory: borrowing Directory) throws(Errno) {
        descriptor = try directory.descriptor(ofLockFile: name)
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = Int(number)
        lock.l_len = 1
        while unsafe fcntl(descriptor, Self.setLock, &lock) != 0 {
            let error = Errno.last
            if error == .interrupted { continue }
            guard error == .resourceTemporarilyUnavailable || error == .permissionDenied else { throw error }
            return nil
        }
    }

    deinit { close(descriptor) }
}
