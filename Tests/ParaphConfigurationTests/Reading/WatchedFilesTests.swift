import Files
import Foundation
import TestSupport
import Testing

@testable import ParaphConfiguration

@Suite("The files whose change takes a reload")
struct WatchedFilesTests {
    private let directory: TestDirectory

    init() throws { directory = try TestDirectory() }

    private func watched(_ yaml: String, at file: String = "paraph.yaml") throws -> [String] {
        let path = try directory.write(yaml, to: file)
        let files: [SeenFile]
        do throws(ConfigurationMistakes) {
            files = try Configuration.load(path: path, environment: [:]).watchedFiles
        } catch {
            files = error.watchedFiles
        }
        return files.map { $0.path.replacing(directory.path + "/", with: "") }
    }

    private static let withFile = Minimal.yaml.replacing("s3cr3t-consumer", with: "{file: secret}")

    @Test("are those that hold secrets and certificates, each once, and not the vault's key")
    func named() throws {
        try directory.write("s", to: "secret")
        try directory.write("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", to: "vault.key")
        let yaml =
            Self.withFile + "\nvault: {key: {file: vault.key}}\n"
            + "access: {clients: [{name: a, password: {file: secret}}, {name: b, password: {file: secret}}]}\n"
        #expect(try watched(yaml) == ["secret"])
        #expect(try watched(Minimal.yaml) == [])
    }

    @Test("are told with the mistakes that they are the cause of, also where there is none yet")
    func mistakes() throws {
        #expect(try watched(Self.withFile) == ["secret"])
        #expect(try watched(Self.withFile + "\nunknown: key\n") == ["secret"])
    }

    @Test("are the configuration's own and the local CA's, too, where the kubelet mounts them")
    func mounted() throws {
        try FileManager.default.createDirectory(
            atPath: directory("..2026"),
            withIntermediateDirectories: false
        )
        #expect(symlink("..2026", directory("..data")) == 0)
        for name in ["paraph.yaml", "ca.pem"] {
            try directory.write("", to: "..2026/\(name)")
            #expect(symlink("..data/\(name)", directory(name)) == 0)
        }
        // Through the link, which stays.
        let yaml = Minimal.yaml + "\nauthority: {certificate: ca.pem, private_key: ca.key}\n"
        try Data(yaml.utf8).write(to: URL(filePath: directory("..2026/paraph.yaml")))
        let path = directory("paraph.yaml")
        let files = try Configuration.load(path: path, environment: [:]).watchedFiles
        #expect(files == [SeenFile(directory("ca.pem")), SeenFile(path)])
        try Data("nonsense".utf8).write(to: URL(filePath: directory("..2026/paraph.yaml")))
        let mistakes = #expect(throws: ConfigurationMistakes.self) {
            _ = try Configuration.load(path: path, environment: [:])
        }
        #expect(mistakes?.watchedFiles == [SeenFile(path)])
    }
}
