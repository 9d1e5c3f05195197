import Files
import SystemPackage

/// The directory in which Paraph keeps what it makes itself.
struct StateDirectory {
    private static let ownNames: Set = ["ca.pem", "ca.key", "vault", "vault.key", "clients"]

    let path: String

    /// Keeps what is secret there out of repositories: `git add` takes whatever it is not told to leave. Only a
    /// directory that has nothing but what Paraph makes is hidden, and only where nobody has said what of it is.
    func hideFromGit() {
        // It protects nothing by itself: where it cannot be written, all else goes on.
        guard let names = try? Directory(path: path).names(), !names.isEmpty,
            names.allSatisfy({ name in Self.ownNames.contains { name == $0 || name.hasPrefix("\($0).") } })
        else { return }
        try? FileContents.write(
            Array("# Made by paraph: what lies here is secret.\n*\n".utf8),
            to: "\(path)/.gitignore",
            mode: .ownerReadWrite
        )
    }
}
