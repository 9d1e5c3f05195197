import Files
import Settings
import SystemPackage

/// The reason why a Unix domain socket cannot be listened on.
struct UnixSocketError: Error, Equatable {
    enum Cause: Equatable {
        case directory(Errno)
        /// - Parameter directory: Its path.
        case locked(_ directory: String)
        case inUse
        case otherFile
        case system(Errno)
    }

    let path: String
    let cause: Cause
}

extension UnixSocketError: CustomStringConvertible {
    /// A sentence on what is wrong and what to do; the path is told beside it.
    var description: String {
        switch cause {
        case .directory(let error): "its directory cannot be used: \(error.reason)"
        case .locked(let directory):
            "another process keeps the lock of \(directory) (flock): end it, or have it lock another file"
        case .inUse: "another process listens there: end it, or set listen.proxy to another path"
        case .otherFile: "a file is there that is no socket: remove it, or set listen.proxy to another path"
        case .system(let error): error.reason
        }
    }
}

extension ListenFailure {
    init(address: ListenAddress, api: String?, cause: any Error) {
        let isInUse = SocketErrorText.isAddressInUse(cause) || (cause as? UnixSocketError)?.cause == .inUse
        self.init(address: address, api: api, cause: cause, isAddressInUse: isInUse)
    }
}
