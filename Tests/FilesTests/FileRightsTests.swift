import Testing

@testable import Files

@Suite("The rights of a file with a secret")
struct FileRightsTests {
    @Test("are its owner's alone", arguments: [0o600, 0o400, 0o700] as [UInt32], [0, 1000] as [UInt32])
    func ofOwner(mode: UInt32, owner: UInt32) {
        for user in [0, 1000] as [UInt32] {
            #expect(FileRights(mode: mode, owner: owner).isConfidential(to: user))
        }
    }

    @Test("may be a group's to read where root hands it to a user", arguments: [0o440, 0o640] as [UInt32])
    func handedByRoot(mode: UInt32) {
        #expect(FileRights(mode: mode, owner: 0).isConfidential(to: 1000))
        #expect(!FileRights(mode: mode, owner: 0).isConfidential(to: 0))
        #expect(!FileRights(mode: mode, owner: 1000).isConfidential(to: 1000))
        #expect(!FileRights(mode: mode, owner: 1001).isConfidential(to: 1000))
    }

    @Test(
        "are nobody else's, whoever owns it",
        arguments: [0o604, 0o644, 0o660, 0o620, 0o610, 0o601, 0o444] as [UInt32]
    )
    func ofOthers(mode: UInt32) {
        for owner in [0, 1000] as [UInt32] {
            #expect(!FileRights(mode: mode, owner: owner).isConfidential(to: 1000))
        }
    }
}
