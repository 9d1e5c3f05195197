import Files
@testable import paraph
import ParaphConfiguration
import Testing

@Suite("Secrets that others can read") struct SecretExposureTests {
    private func advice(ofFile mode: UInt32, secretFile: UInt32) throws -> [String] {
        let folder = try TemporaryDirectory(named: "exposure")
        defer { folder.remove() }
        let directory = try Directory(path: folder.path)
        let yaml = """
            apis:
              t:
                hosts: [api.example.com]
                oauth1:
                  consumer_key: key
                  consumer_secret: {file: secret}
                accounts:
                  default: {token: token, token_secret: s3cr3t}
                  other: {token: token, token_secret: s3cr3t}
                  third: {token: token, token_secret: {env: TS}}

            """
        try directory.create("paraph.yaml", bytes: Array(yaml.utf8).span, mode: mode, isSynced: false)
        try directory.create("secret", bytes: Array("s3cr3t".utf8).span, mode: secretFile, isSynced: false)
        let path = "\(folder.path)/paraph.yaml"
        let configuration = try Configuration.load(path: path, environment: ["TS": "s3cr3t"])
        return SecretExposure.advice(on: configuration).map { $0.line(file: "").replacing(folder.path, with: "DIR") }
    }

    @Test("are told once a file, with the command that closes it")
    func open() throws {
        let lines = try advice(ofFile: 0o644, secretFile: 0o644)
        #expect(lines.count == 2)
        let first = ":6:24: warning: apis.t.oauth1.consumer_secret is a secret in DIR/secret, which can be read"
        #expect(lines.first?.hasPrefix(first) == true)
        let last = ":8:45: warning: apis.t.accounts.default.token_secret is a secret, and this file can be read"
        #expect(lines.last?.hasPrefix(last) == true)
        #expect(lines.allSatisfy { $0.contains("chmod 600 DIR/") && !$0.contains("s3cr3t") })
    }

    @Test("are none where only the owner may read the files")
    func closed() throws {
        #expect(try advice(ofFile: 0o600, secretFile: 0o600) == [])
    }
}
