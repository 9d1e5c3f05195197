import FoundationEssentials
import Testing

@testable import paraph

@Suite struct TemporaryDirectoryTests {
    @Test func `it is for its owner alone, and goes with all that is in it`() throws {
        let directory = try TemporaryDirectory()
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.path)
        #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o777 } == 0o700)
        try Data("x".utf8).write(to: URL(filePath: directory.file("inside")))
        directory.remove()
        #expect(!FileManager.default.fileExists(atPath: directory.path))
    }
}
