import NIOCore
import ParaphConfiguration
import Settings
import Testing

@Suite("Timeouts")
struct TimeoutsTests {
    static let rows: [(key: String, path: any WritableKeyPath<ProxyTimeouts, TimeAmount> & Sendable)] = [
        ("connect", \.connect), ("handshake", \.handshake), ("request_header", \.requestHeader),
        ("response_header", \.responseHeader), ("token", \.token), ("idle", \.idle), ("drain", \.drain),
    ]

    @Test("are set each by its own key, and by no other", arguments: rows)
    func setsOne(_ key: String, _ path: any WritableKeyPath<ProxyTimeouts, TimeAmount> & Sendable) throws {
        var expected = ProxyTimeouts()
        expected[keyPath: path] = .seconds(17)
        #expect(try read("timeouts: {\(key): 17s}\n\(Minimal.yaml)").proxy.timeouts == expected)
    }
}
