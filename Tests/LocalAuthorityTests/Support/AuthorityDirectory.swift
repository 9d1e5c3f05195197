import Foundation
import LocalAuthority
import Routing
import TestSupport

/// The place of a test's CA, and the time it is made at.
struct AuthorityDirectory {
    static let now = Date(timeIntervalSince1970: 1_780_000_000.75)

    let directory: TestDirectory

    init() throws {
        directory = try TestDirectory()
    }

    /// The hosts that most tests have leaves for.
    static let hosts = [
        "*.example.com", "example.com", "localhost", "xn--bcher-kva.example", "a.example",
        "b.example", "192.0.2.7", "[2001:db8::7]",
    ]

    func loadOrCreate(
        hosts: [String] = Self.hosts,
        now: Date = Self.now
    ) throws -> LocalAuthority {
        try LocalAuthority.loadOrCreate(
            certificatePath: directory("ca.pem"),
            keyPath: directory("ca.key"),
            reach: Self.reach(hosts),
            now: now
        )
    }

    func load(now: Date = Self.now) throws -> LocalAuthority? {
        try LocalAuthority.load(
            certificatePath: directory("ca.pem"),
            keyPath: directory("ca.key"),
            now: now
        )
    }

    func copy() throws -> Data? {
        try LocalAuthority.copy(certificatePath: directory("ca.pem"), keyPath: directory("ca.key"))
    }

    func install(_ copy: Data) throws -> AuthorityCertificate? {
        try LocalAuthority.install(copy, certificatePath: directory("ca.pem"), keyPath: directory("ca.key"))
    }

    func renew(hosts: [String], withNewKey: Bool = false, now: Date = Self.now) throws -> AuthorityRenewal {
        try LocalAuthority.renew(
            certificatePath: directory("ca.pem"),
            keyPath: directory("ca.key"),
            reach: Self.reach(hosts),
            withNewKey: withNewKey,
            now: now
        )
    }

    static func reach(_ hosts: [String]) throws -> AuthorityReach {
        AuthorityReach(hosts: try hosts.map { try HostPattern($0) })
    }
}
