import Foundation
import LocalAuthority

/// Where a test's CA is, and the time it is made at.
struct AuthorityDirectory {
    static let now = Date(timeIntervalSince1970: 1_780_000_000.75)

    let directory: TemporaryDirectory

    init() throws {
        self.directory = try TemporaryDirectory()
    }

    func loadOrCreate(now: Date = Self.now) throws(AuthorityError) -> LocalAuthority {
        try LocalAuthority.loadOrCreate(
            certificatePath: self.directory.file("ca.pem"),
            keyPath: self.directory.file("ca.key"),
            now: now
        )
    }
}
