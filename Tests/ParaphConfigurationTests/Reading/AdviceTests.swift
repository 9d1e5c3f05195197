import Foundation
import ParaphConfiguration
import Testing

/// Each file of `Fixtures/advice` has a twin with what is advised on it.
@Suite("Advice")
struct AdviceTests {
    static let directory = Bundle.module.bundleURL.appending(path: "Fixtures/advice")

    /// 2027-01-15T08:00:00Z: the day that the dates of the fixtures are around.
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    static let names: [String] = ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [])
        .filter { $0.hasSuffix(".yaml") }.sorted()

    @Test("is not given where there is nothing to say")
    func none() throws {
        #expect(try read(Minimal.yaml).advice == [])
    }

    @Test("has fixtures")
    func fixturesAreThere() {
        #expect(Self.names.count >= 6)
    }

    @Test("is given on what a provider will probably refuse, at its line and column, once", arguments: names)
    func given(_ name: String) throws {
        let path = Self.directory.appending(path: name).path
        let expected = try String(
            contentsOf: Self.directory.appending(path: name.replacing(".yaml", with: ".advice")),
            encoding: .utf8
        )
        let configuration = try Configuration.load(path: path, environment: [:], now: Self.now)
        let lines = configuration.advice.map { $0.line(file: "") }
        #expect(lines.map { "\($0)\n" }.joined() == expected)
        #expect(!expected.contains("s3cr3t"))
        #expect(
            configuration.warnings.map { $0.line(file: "") }
                == lines.filter { !$0.contains(": note: ") }
        )
    }
}
