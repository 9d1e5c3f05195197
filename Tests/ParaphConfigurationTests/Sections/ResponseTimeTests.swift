import NIOCore
import ParaphConfiguration
import Settings
import Testing

@Suite("The time for the head of a response")
struct ResponseTimeTests {
    static let rows: [(own: String?, expected: TimeAmount?)] = [
        (nil, nil), ("{response_header: 10m}", .seconds(600)), ("{response_header: 250ms}", .milliseconds(250)),
        ("{response_header: null}", nil), ("{}", nil), ("null", nil),
    ]

    @Test("is the whole file's, unless an API has its own", arguments: rows)
    func own(_ own: String?, _ expected: TimeAmount?) throws {
        let yaml = "timeouts: {response_header: 7s}\n" + Minimal.withAPI(own.map { "timeouts: \($0)" } ?? "")
        let configuration = try read(yaml)
        #expect(configuration.proxy.apis.first?.responseHeaderTimeout == expected)
        #expect(configuration.proxy.timeouts.responseHeader == .seconds(7))
    }
}
