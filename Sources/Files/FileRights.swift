import Glibc

/// The permission bits of a file, and whose it is.
package struct FileRights: Sendable, Equatable {
    package let mode: UInt32
    package let owner: UInt32
    package let group: UInt32

    package init(mode: UInt32, owner: UInt32, group: UInt32) {
        self.mode = mode
        self.owner = owner
        self.group = group
    }

    init(_ status: stat) {
        self.init(mode: status.st_mode & 0o7777, owner: status.st_uid, group: status.st_gid)
    }

    /// Returns whether a secret in the file is kept from other users: its owner alone may read it. A file of root's may
    /// be readable for one group besides, which is how Kubernetes (0440, the group of the pod's volumes) hands a secret
    /// to a user who does not own it.
    ///
    /// - Parameter user: The user of this process. Root needs no group to be handed a file.
    func isConfidential(to user: UInt32) -> Bool {
        mode & 0o077 == 0 || (owner == 0 && user != 0 && mode & 0o037 == 0)
    }
}
