import FoundationEssentials
import TestSupport
import Testing

@testable import paraph

@Suite(.generousLimit, .timed) struct TemporaryDirectoryTests {
    @Test func `it is for its owner alone, and goes with all that is in it`() throws {
        let directory = try TemporaryDirectory()
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.path)
        #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o777 } == 0o700)
        try Data("x".utf8).write(to: URL(filePath: directory.file("inside")))
        directory.remove()
        #expect(!FileManager.default.fileExists(atPath: directory.path))
    }

    @Test func `it is there until the body has ended, by an error or without`() async throws {
        struct Failure: Error {}
        let used = try await TemporaryDirectory.with(named: "paraph-test") { directory in
            #expect(FileManager.default.fileExists(atPath: directory.path))
            return directory.path
        }
        #expect(!FileManager.default.fileExists(atPath: used))
        var abandoned: String?
        do {
            try await TemporaryDirectory.with(named: "paraph-test") { directory in
                abandoned = directory.path
                throw Failure()
            }
        } catch is Failure {}
        let path = try #require(abandoned)
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
