import Foundation
import LocalAuthority
import Testing
import TestSupport
import UpstreamTrust
import X509

@Suite(.generousLimit, .timed) struct AuthorityRenewalTests {
    private static let old = ["api.example.com"]
    private static let new = ["api.example.com", "api.example.org"]

    @Test("Clients that trust a CA's old or its renewed certificate accept the leaves that it reaches")
    func clientsWithEitherCertificateAcceptTheLeavesThatItReaches() async throws {
        let place = try AuthorityDirectory()
        let before = try place.loadOrCreate(hosts: Self.old)
        let key = try place.directory.text("ca.key")
        let later = AuthorityDirectory.now.addingTimeInterval(86_400)
        let renewal = try place.renew(hosts: Self.new, now: later)
        #expect(renewal.previous.fingerprint == before.fingerprint)
        #expect(renewal.certificate.subject == before.certificate.subject)
        #expect(renewal.certificate.fingerprint != before.fingerprint)
        #expect(renewal.certificate.notValidAfter == before.certificate.notValidAfter.addingTimeInterval(86_400))
        #expect(try place.directory.text("ca.key") == key)
        #expect(place.directory.mode("ca.pem") == 0o644)
        let after = try place.loadOrCreate(hosts: Self.new, now: later)
        #expect(after.fingerprint == renewal.certificate.fingerprint)
        let reach = try AuthorityDirectory.reach(Self.new)
        #expect(after.certificate.uncovered(by: reach).isEmpty)
        #expect(before.certificate.uncovered(by: reach).map { "\($0)" } == ["api.example.org"])
        // Before the proxy that runs has loaded the new one, and after.
        for authority in [before, after] {
            for (host, isOld) in [("api.example.com", true), ("api.example.org", false)] {
                let leaf = try authority.leaf(for: .dns(host), now: later)
                for (pem, isAccepted) in [(before.certificatePEM, isOld), (after.certificatePEM, true)] {
                    #expect(
                        try OpenSSLClient.accepts(leaf, of: host, trusting: pem, at: later) == isAccepted
                    )
                }
            }
        }
    }

    @Test("A renewed CA's old certificate is kept beside the new one")
    func theOldCertificateIsKeptBesideTheNewOne() throws {
        let place = try AuthorityDirectory()
        let before = try place.loadOrCreate(hosts: Self.old)
        let first = try place.renew(hosts: Self.new)
        #expect(try place.directory.text("\(first.keptPath.split(separator: "/").last ?? "")") == before.certificatePEM)
        let second = try place.renew(hosts: Self.new)
        #expect(first.keptPath != second.keptPath)
        #expect(try place.directory.names.count == 5)
        #expect(try place.directory.names.prefix(3) == ["ca.key", "ca.pem", "ca.pem.anchors"])
        #expect(try place.directory.names.dropFirst(3).allSatisfy { $0.hasPrefix("ca.pem.old-") })
    }

    @Test("A renewal with a new key makes a CA that has nothing of the old one")
    func aNewKeyMakesAnAuthorityThatHasNothingOfTheOldOne() async throws {
        let place = try AuthorityDirectory()
        let before = try place.loadOrCreate(hosts: Self.old)
        let key = try place.directory.text("ca.key")
        let renewal = try place.renew(hosts: Self.old, withNewKey: true)
        #expect(renewal.certificate.subject != before.certificate.subject)
        #expect(try place.directory.text("ca.key") != key)
        #expect(place.directory.mode("ca.key") == 0o600)
        #expect(try place.directory.names.count == 4)
        let after = try place.loadOrCreate(hosts: Self.old)
        #expect(after.fingerprint == renewal.certificate.fingerprint)
        let leaf = try after.leaf(for: .dns("api.example.com"), now: AuthorityDirectory.now)
        #expect(try OpenSSLClient.accepts(leaf, of: "api.example.com", trusting: after.certificatePEM))
        #expect(try !OpenSSLClient.accepts(leaf, of: "api.example.com", trusting: before.certificatePEM))
    }

    /// The states that the steps of a replacement leave when the process dies between two of them.
    @Test("A renewal that a crash cut short leaves a whole CA, the old or the new one")
    func aRenewalThatACrashCutShortLeavesAWholeAuthority() throws {
        let other = try AuthorityDirectory()
        let next = try other.loadOrCreate(hosts: Self.new)
        let key = try other.directory.text("ca.key")

        let early = try AuthorityDirectory()
        let kept = try early.loadOrCreate(hosts: Self.old)
        try early.directory.write(next.certificatePEM, to: "ca.pem.new")
        try early.directory.write(key, to: "ca.key.new")
        #expect(try early.loadOrCreate(hosts: Self.old).fingerprint == kept.fingerprint)
        #expect(try early.load()?.fingerprint == kept.fingerprint)
        #expect(try early.renew(hosts: Self.new).previous.fingerprint == kept.fingerprint)

        let late = try AuthorityDirectory()
        _ = try late.loadOrCreate(hosts: Self.old)
        try late.directory.write(next.certificatePEM, to: "ca.pem.new")
        try late.directory.write(key, to: "ca.key")
        #expect(try late.load()?.fingerprint == next.fingerprint)
        #expect(try late.directory.names == ["ca.key", "ca.pem", "ca.pem.anchors", "ca.pem.new"])
        #expect(try late.loadOrCreate(hosts: Self.old).fingerprint == next.fingerprint)
        #expect(try late.directory.names == ["ca.key", "ca.pem", "ca.pem.anchors"])
    }

    @Test("A CA that has expired is not loaded until it is renewed")
    func anExpiredAuthorityIsRenewed() throws {
        let place = try AuthorityDirectory()
        let before = try place.loadOrCreate(hosts: Self.old)
        let late = before.certificate.notValidAfter.addingTimeInterval(86_400)
        #expect(throws: LocalAuthorityError.self) { try place.loadOrCreate(hosts: Self.old, now: late) }
        _ = try place.renew(hosts: Self.old, now: late)
        #expect(try place.loadOrCreate(hosts: Self.old, now: late).certificate.notValidAfter > late)
    }

    @Test("A CA that is missing, that Paraph did not make, or whose key is open to others is not renewed")
    func whatIsNotParaphsOwnIsNotRenewed() throws {
        let place = try AuthorityDirectory()
        let missing = #expect(throws: LocalAuthorityError.self) { try place.renew(hosts: Self.old) }
        #expect(missing?.label == "ca_missing")
        let own = try OwnAuthority()
        try own.write(to: place)
        let foreign = #expect(throws: LocalAuthorityError.self) { try place.renew(hosts: Self.old) }
        #expect(foreign?.label == "ca_not_paraphs")
        #expect(try place.directory.text("ca.pem") == own.certificatePEM)
        #expect(try place.directory.names == ["ca.key", "ca.pem"])
        try place.directory.setMode(0o644, of: "ca.key")
        let open = #expect(throws: LocalAuthorityError.self) { try place.renew(hosts: Self.old) }
        #expect(open?.label == "ca_key_permissions")
    }

    /// Secrets in a container are links.
    @Test("The key of a CA that is a symbolic link is held to the mode of the file that it points to")
    func aKeyIsHeldToTheModeOfTheFileThatItLinksTo() throws {
        let place = try AuthorityDirectory()
        let made = try place.loadOrCreate(hosts: Self.old)
        let directory = place.directory
        try FileManager.default.moveItem(atPath: directory("ca.key"), toPath: directory("secret"))
        try FileManager.default.createSymbolicLink(
            atPath: directory("ca.key"),
            withDestinationPath: directory("secret")
        )
        #expect(try place.loadOrCreate(hosts: Self.old).fingerprint == made.fingerprint)
        try directory.setMode(0o640, of: "secret")
        let error = #expect(throws: LocalAuthorityError.self) { try place.loadOrCreate(hosts: Self.old) }
        #expect(error?.label == "ca_key_permissions")
    }

    @Test("The CA that a start would load is told without making one")
    func whatWouldBeLoadedIsToldWithoutMakingIt() throws {
        let place = try AuthorityDirectory()
        #expect(try place.load()?.fingerprint == nil)
        #expect(try place.directory.names == [])
        let made = try place.loadOrCreate(hosts: Self.old)
        #expect(try place.load()?.fingerprint == made.fingerprint)
        try FileManager.default.removeItem(atPath: place.directory("ca.pem"))
        let error = #expect(throws: LocalAuthorityError.self) { try place.load() }
        #expect(error?.label == "ca_certificate_missing")
    }
}
