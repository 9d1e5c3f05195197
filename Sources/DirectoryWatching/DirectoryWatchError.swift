import Files
package import SystemPackage

/// The reason why a directory cannot be watched.
package struct DirectoryWatchError: Error, CustomStringConvertible {
    /// The directory that cannot be watched; nil when none can be.
    package let directory: String?
    package let code: Errno

    package init(directory: String?, code: Errno) {
        self.directory = directory
        self.code = code
    }

    package var description: String {
        let failure = directory.map { "The directory \($0) cannot be watched for changes" } ?? "No file can be watched"
        switch code {
        case .tooManyOpenFiles, .noSpace:
            return "\(failure): the user has as many inotify instances or watches as the system allows. "
                + "Raise fs.inotify.max_user_instances or fs.inotify.max_user_watches (sysctl)."
        default: return "\(failure): \(code.reason)."
        }
    }
}
