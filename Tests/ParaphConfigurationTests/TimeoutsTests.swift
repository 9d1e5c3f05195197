import ParaphConfiguration
import Testing

@Suite("Timeouts")
struct TimeoutsTests {
    static let rows: [(key: String, path: any WritableKeyPath<Timeouts, Duration> & Sendable)] = [
        ("connect", \.connect), ("handshake", \.handshake), ("request_header", \.requestHeader),
        ("response_header", \.responseHeader), ("idle", \.idle), ("drain", \.drain),
    ]

    @Test("are set each by its own key, and by no other", arguments: rows)
    func setsOne(_ key: String, _ path: any WritableKeyPath<Timeouts, Duration> & Sendable) throws {
        var expected = Timeouts()
        expected[keyPath: path] = .seconds(17)
        #expect(try read("timeouts: {\(key): 17s}\n\(Minimal.yaml)").timeouts == expected)
    }
}
