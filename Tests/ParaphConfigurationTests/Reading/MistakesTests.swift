import Foundation
import ParaphConfiguration
import Testing
import TestSupport

/// Each file of `Fixtures/mistakes` has a twin with the mistakes that are printed for it.
@Suite("Mistakes")
struct MistakesTests {
    static let directory = Bundle.module.bundleURL.appending(path: "Fixtures/mistakes")

    static let names: [String] = ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [])
        .filter { $0.hasSuffix(".yaml") }.sorted()

    @Test("have fixtures")
    func fixturesAreThere() {
        #expect(Self.names.count > 25)
    }

    @Test("are all found, each at its line and column, and tell no secret", arguments: names)
    func found(_ name: String) throws {
        let expected = try String(
            contentsOf: Self.directory.appending(path: name.replacing(".yaml", with: ".mistakes")),
            encoding: .utf8
        )
        let path = Self.directory.appending(path: name).path
        do {
            _ = try Configuration.load(path: path, environment: [:])
            Issue.record("\(name) was taken for good")
        } catch {
            let found = "\(error)\n".replacing("\(path):", with: "").replacing("\(Self.directory.path)/", with: "")
            #expect(found == expected)
            #expect(!found.contains("s3cr3t"))
        }
    }

    @Test("are printed with the file as it was named")
    func fileName() throws {
        do {
            _ = try Configuration.read(Array("log: {level: x}".utf8), file: "some/where.yaml", environment: [:])
            Issue.record("taken for good")
        } catch {
            #expect(
                "\(error)" == """
                    some/where.yaml:1:1: the configuration lacks apis
                    some/where.yaml:1:14: log.level must be trace, debug, info, notice, warning, error or critical
                    """
            )
        }
    }

    @Test("of a file that is not there name the reason")
    func unreadable() throws {
        let directory = try TestDirectory()
        for path in ["\(directory.path)/absent.yaml", directory.path] {
            #expect(throws: ConfigurationMistakes.self) { try Configuration.load(path: path, environment: [:]) }
        }
    }

    /// Each secret of them holds the word that no message may hold.
    static let secretive = [
        """
        apis:
          t:
            hosts: [a.example]
            oauth1:
              consumer_key: k
              consumer_secret: s3cr3t-a
            accounts:
              d: {token: t, token_secret: s3cr3t-b}
              e: {reverse_auth: {signed_as: {token: t, token_secret: "s3cr3t-c"}}}
        access:
          clients: [{name: c, password: s3cr3t-d}]

        """,
        """
        apis:
          o:
            hosts: [o.example]
            oauth2: {token_url: https://o.example/?a=s3cr3t-e, client_id: c, client_secret: s3cr3t-f}
            accounts: {d: {password: {username: u, password: s3cr3t-g}}}
          b: {hosts: [b.example], bearer: {}, accounts: {d: {token: s3cr3t-h}}}
        enrolment: {token: s3cr3t-i}

        """,
    ]

    @Test(
        "never tell a secret, wherever a byte is lost or replaced",
        arguments: secretive,
        [nil, ":", " ", "\n", "{", "\"", "\t"]
    )
    func secretsStayOut(_ yaml: String, _ replacement: String?) {
        let bytes = Array(yaml.utf8)
        // What is changed inside the word itself is no longer the word.
        for index in bytes.indices {
            var changed = bytes
            changed.replaceSubrange(index...index, with: replacement.map { Array($0.utf8) } ?? [])
            for mistake in mistakes(changed) {
                #expect(!mistake.contains("s3cr3t"), "byte \(index): \(mistake)")
            }
        }
    }
}
