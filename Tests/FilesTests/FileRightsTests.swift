import Testing

@testable import Files

@Suite("The rights of a file with a secret")
struct FileRightsTests {
    @Test("are its owner's alone", arguments: [0o600, 0o400, 0o700] as [UInt32], [0, 1000] as [UInt32])
    func ofOwner(mode: UInt32, owner: UInt32) {
        for user in [0, 1000] as [UInt32] {
            #expect(FileRights(mode: mode, owner: owner, group: 999).isConfidential(to: user))
        }
    }

    @Test("may be a group's to read where root hands it to a user", arguments: [0o440, 0o640] as [UInt32])
    func handedByRoot(mode: UInt32) {
        #expect(FileRights(mode: mode, owner: 0, group: 999).isConfidential(to: 1000))
        #expect(!FileRights(mode: mode, owner: 0, group: 999).isConfidential(to: 0))
        #expect(!FileRights(mode: mode, owner: 1000, group: 999).isConfidential(to: 1000))
        #expect(!FileRights(mode: mode, owner: 1001, group: 999).isConfidential(to: 1000))
    }

    @Test(
        "are nobody else's, whoever owns it",
        arguments: [0o604, 0o644, 0o660, 0o620, 0o610, 0o601, 0o444] as [UInt32]
    )
    func ofOthers(mode: UInt32) {
        for owner in [0, 1000] as [UInt32] {
            #expect(!FileRights(mode: mode, owner: owner, group: 999).isConfidential(to: 1000))
        }
    }

    @Test("that let others in are told with what to do, by whom")
    func exposure() throws {
        func told(_ mode: UInt32, owner: UInt32, to user: UInt32) throws -> (problem: String, remedy: String, String?) {
            let found = try #require(FileRights(mode: mode, owner: owner, group: 999).exposure(to: user))
            return (found.problem, found.remedy("/k"), found.command("/k"))
        }
        for (owner, user) in [(0, 0), (1000, 1000), (1000, 0)] as [(UInt32, UInt32)] {
            let open = try told(0o644, owner: owner, to: user)
            #expect(open == ("can be read or written by others (mode 0644)", "run: chmod 600 /k", "chmod 600 /k"))
        }
        let others = try told(0o440, owner: 1001, to: 1000)
        #expect(others.remedy == "it belongs to user 1001, and this is user 1000; as root, run: \(others.2 ?? "")")
        #expect(others.2 == "chown 1000 /k && chmod 600 /k")
        // A service would take it.
        let handed = try told(0o440, owner: 0, to: 0)
        #expect(handed.problem == "can be read by its group, 999, besides root (mode 0440)")
        #expect(handed.remedy.contains("run this command as that user") && handed.remedy.hasSuffix("run: chmod 600 /k"))
        #expect(handed.2 == nil)
        #expect(FileRights(mode: 0o440, owner: 0, group: 999).exposure(to: 1000) == nil)
    }
}
