import Glibc

/// The way in which a file with a secret is open to other users, and what to do about that.
package struct FileExposure: Sendable, Equatable {
    private let rights: FileRights
    /// The user who refuses the file.
    private let user: UInt32

    init(_ rights: FileRights, user: UInt32) {
        self.rights = rights
        self.user = user
    }

    /// Indicates whether another user would take the file, whom root hands it to by its group.
    package var isHandedToGroup: Bool { rights.isConfidential(to: user == 0 ? 1 : user) }

    /// A description that goes behind the file's name.
    package var problem: String {
        isHandedToGroup
            ? "can be read by its group, \(rights.group), besides root (mode \(mode))"
            : "can be read or written by others (mode \(mode))"
    }

    /// A description of what to do, which ends with a command.
    ///
    /// - Parameter path: The path as a shell reads it.
    package func remedy(_ path: String) -> String {
        let close = "run: \(closing(path))"
        if isHandedToGroup {
            return "a user of that group may use it, and root may not: where such a user runs the proxy, run this "
                + "command as that user (runuser -u USER -- …), and where root does, \(close)"
        }
        guard user != 0, rights.owner != user else { return close }
        return "it belongs to user \(rights.owner), and this is user \(user); as root, \(close)"
    }

    /// The command that helps, where there is one to be told.
    ///
    /// - Parameter path: The path as a shell reads it.
    package func command(_ path: String) -> String? { isHandedToGroup ? nil : closing(path) }

    private func closing(_ path: String) -> String {
        user == 0 || rights.owner == user ? "chmod 600 \(path)" : "chown \(user) \(path) && chmod 600 \(path)"
    }

    private var mode: String {
        let digits = String(rights.mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

extension FileRights {
    /// The way in which a secret in the file is open to users other than this process's; nil: it is not.
    package var exposure: FileExposure? { exposure(to: geteuid()) }

    func exposure(to user: UInt32) -> FileExposure? {
        isConfidential(to: user) ? nil : FileExposure(self, user: user)
    }
}
