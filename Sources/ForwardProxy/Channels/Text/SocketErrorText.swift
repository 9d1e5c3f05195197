import Files
import Glibc
import NIOCore
import NIOPosix
package import Settings
import SystemPackage

/// A person's words for an error of the socket layer, whose own descriptions name functions and not causes.
package enum SocketErrorText {
    package static func describe(_ error: any Error) -> String {
        if let failure = error as? ListenFailure { return describe(failure.cause) }
        // Of several addresses, the first one's.
        if let failure = error as? NIOConnectionError, let first = failure.connectionErrors.first {
            return describe(first.error)
        }
        if error is SocketAddressError.UnknownHost { return "neither a name server nor the hosts file knows this name" }
        guard let error = error as? IOError else { return "\(error)" }
        return switch error.errnoCode {
        case EADDRINUSE: "the address is in use"
        case EADDRNOTAVAIL: "this machine has no such address"
        case EACCES, EPERM: "not permitted (ports below 1024 need a privilege)"
        case ECONNREFUSED: "nothing listens there (connection refused)"
        case ETIMEDOUT: "the other machine does not answer"
        default: Errno(rawValue: error.errnoCode).connectionReason ?? "\(error)"
        }
    }

    /// Returns whether somebody else listens on the address already.
    package static func isAddressInUse(_ error: any Error) -> Bool {
        if let failure = error as? ListenFailure { return failure.isAddressInUse }
        return (error as? IOError)?.errnoCode == EADDRINUSE
    }
}

/// An address that cannot be listened on.
package struct ListenFailure: Error {
    package let address: ListenAddress
    /// The API whose gateway it is; nil: the proxy's own listener.
    package let api: String?
    package let cause: any Error
    /// Indicates whether somebody else listens there already.
    let isAddressInUse: Bool
}
