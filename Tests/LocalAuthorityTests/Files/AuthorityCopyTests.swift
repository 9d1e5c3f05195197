import Foundation
import Testing
import TestSupport

@testable import LocalAuthority

@Suite("The copy of a CA that several proxies share", .generousLimit, .timed) struct AuthorityCopyTests {
    @Test("A place without a CA gets the same one, byte for byte, with its key for its owner alone")
    func emptyPlace() throws {
        let (one, other) = (try AuthorityDirectory(), try AuthorityDirectory())
        #expect(try one.copy() == nil)
        let made = try one.loadOrCreate()
        let copy = try #require(try one.copy())
        #expect(try other.install(copy) == nil)
        #expect(try other.directory.names == ["ca.key", "ca.pem", "ca.pem.anchors"])
        #expect(other.directory.mode("ca.key") == 0o600)
        let loaded = try other.loadOrCreate()
        #expect(!loaded.wasCreated)
        #expect(loaded.certificatePEM == made.certificatePEM)
        #expect(try other.copy() == copy)
        #expect(try other.directory.text("ca.pem.anchors") == one.directory.text("ca.pem.anchors"))
    }

    @Test("Nothing is left of a key that was wiped, and all of the rest")
    func wiped() throws {
        let bytes = Array("abc".utf8)
        var copy = AuthorityCopy(certificates: bytes, key: bytes, anchors: bytes)
        copy.wipe()
        #expect(copy == AuthorityCopy(certificates: bytes, key: [0, 0, 0], anchors: bytes))
    }

    @Test("What is the same is not written again")
    func same() throws {
        let place = try AuthorityDirectory()
        _ = try place.loadOrCreate()
        let copy = try #require(try place.copy())
        for name in ["ca.key", "ca.pem", "ca.pem.anchors"] { try place.directory.setMode(0o400, of: name) }
        try place.directory.setMode(0o500, of: ".")
        defer { try? place.directory.setMode(0o700, of: ".") }
        #expect(try place.install(copy) == nil)
        #expect(place.directory.mode("ca.key") == 0o400)
    }

    @Test("Another CA of Paraph's gives way, and its certificate is kept", arguments: [false, true])
    func another(ofSameKey: Bool) throws {
        let (one, other) = (try AuthorityDirectory(), try AuthorityDirectory())
        let made = try one.loadOrCreate()
        let earlier: LocalAuthority
        if ofSameKey {
            _ = try other.install(try #require(try one.copy()))
            _ = try other.renew(hosts: ["a.example"])
            earlier = try other.loadOrCreate()
        } else {
            earlier = try other.loadOrCreate()
        }
        let copy = try #require(try one.copy())
        #expect(try other.install(copy)?.fingerprint == earlier.fingerprint)
        #expect(try other.loadOrCreate().fingerprint == made.fingerprint)
        #expect(try other.copy() == copy)
        let mark = earlier.fingerprint.filter { $0 != ":" }.prefix(8).lowercased()
        #expect(try other.directory.text("ca.pem.old-\(mark)") == earlier.certificatePEM)
    }

    @Test("One for a thousand hosts, whose anchors are long, is copied after each renewal")
    func manyHosts() throws {
        let (one, other) = (try AuthorityDirectory(), try AuthorityDirectory())
        let hosts = (0..<1_000).map { "host-\($0).some-provider.example.com" }
        _ = try one.loadOrCreate(hosts: hosts)
        for count in 1...4 {
            let copy = try #require(try one.copy())
            _ = try other.install(copy)
            #expect(try other.copy() == copy)
            // A root, and 32 certificates for 32 hosts each at most.
            let anchors = try other.directory.text("ca.pem.anchors")
            #expect(anchors.components(separatedBy: "-----BEGIN").count - 1 == 33 * min(count, 3))
            let nextDay = AuthorityDirectory.now.addingTimeInterval(86_400 * Double(count))
            _ = try other.loadOrCreate(hosts: hosts, now: nextDay)
            #expect(try other.copy() == copy)
            _ = try one.renew(hosts: hosts, now: nextDay)
        }
    }

    @Test("A key that was lost is there again", arguments: [false, true])
    func lostKey(ofAnother: Bool) throws {
        let (one, other) = (try AuthorityDirectory(), try AuthorityDirectory())
        let made = try one.loadOrCreate()
        let copy = try #require(try one.copy())
        let earlier = ofAnother ? try other.loadOrCreate() : nil
        if !ofAnother { _ = try other.install(copy) }
        try FileManager.default.removeItem(atPath: other.directory("ca.key"))
        #expect(try other.install(copy)?.fingerprint == earlier?.fingerprint)
        #expect(try other.loadOrCreate().fingerprint == made.fingerprint)
        #expect(try other.copy() == copy)
    }

    @Test("A CA that Paraph did not make is not written over")
    func ownAuthority() throws {
        let (one, other) = (try AuthorityDirectory(), try AuthorityDirectory())
        _ = try one.loadOrCreate()
        let copy = try #require(try one.copy())
        let own = try OwnAuthority()
        try other.directory.write(own.certificatePEM, to: "ca.pem")
        try other.directory.write(own.keyPEM, to: "ca.key")
        try other.directory.setMode(0o600, of: "ca.key")
        let error = #expect(throws: LocalAuthorityError.self) { try other.install(copy) }
        #expect(error == .notShared(path: other.directory("ca.pem")))
        #expect(try other.directory.text("ca.pem") == own.certificatePEM)
        // It can be the one that is shared.
        let shared = try #require(try other.copy())
        let third = try AuthorityDirectory()
        _ = try third.install(shared)
        #expect(try third.directory.text("ca.key") == own.keyPEM)
        #expect(try third.directory.names == ["ca.key", "ca.pem"])
    }

    @Test("Bytes that are no copy are refused, and nothing is written")
    func noCopy() throws {
        let (one, other) = (try AuthorityDirectory(), try AuthorityDirectory())
        _ = try one.loadOrCreate()
        _ = try other.loadOrCreate()
        let copy = try #require(try one.copy())
        let mixed = try #require(try other.copy())
        // The certificate of one and the key of the other.
        let certificate = copy.prefix(5 + (try one.directory.text("ca.pem")).utf8.count)
        let rest = mixed.dropFirst(5 + (try other.directory.text("ca.pem")).utf8.count)
        let wrong: [Data] = [
            Data(), Data([1]), copy.dropLast(), copy + [0], Data([2]) + copy.dropFirst(), certificate + rest,
            Data([1, 0xFF, 0xFF, 0xFF, 0xFF]),
        ]
        let empty = try AuthorityDirectory()
        for bytes in wrong {
            let error = #expect(throws: LocalAuthorityError.self) { try empty.install(bytes) }
            #expect(error == .unreadableCopy)
        }
        #expect(try empty.directory.names == [])
    }
}
