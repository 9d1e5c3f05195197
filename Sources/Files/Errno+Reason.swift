import Glibc
package import SystemPackage

extension Errno {
    /// The error that the last failed system call of this thread has left.
    package static var last: Errno { Errno(rawValue: errno) }

    /// Indicates whether it says that a path leads nowhere.
    package var isAbsence: Bool { self == .noSuchFileOrDirectory || self == .notDirectory }

    /// The words for it of a file, as the end of a sentence; the system's words ("Text file busy") where it is rare.
    package var reason: String {
        switch self {
        case .noSuchFileOrDirectory: "there is no such file or directory"
        case .permissionDenied, .notPermitted: "permission denied"
        case .isDirectory: "it is a directory"
        case .notDirectory: "a part of the path is not a directory"
        case .readOnlyFileSystem: "the file system is read-only"
        case .noSpace, .diskQuotaExceeded: "there is no space left"
        case .tooManySymbolicLinkLevels: "too many symbolic links"
        case .noSuchAddressOrDevice: "it is a FIFO that nobody reads, or a socket"
        case .fileTooLarge: "it is too large to be one"
        default: description
        }
    }

    /// The words for it of a connection, as the end of a sentence; nil where they depend on which connection it is.
    package var connectionReason: String? {
        switch self {
        case .networkUnreachable: "the network is unreachable"
        case .noRouteToHost: "the host is unreachable"
        case .connectionReset: "the connection was reset"
        case .brokenPipe: "the connection was closed"
        case .tooManyOpenFiles: "the process may have no more files open (ulimit -n)"
        case .tooManyOpenFilesInSystem: "the system has as many files open as it may"
        default: nil
        }
    }
}
