import ParaphConfiguration
import Testing

@Suite("The time for the head of a response")
struct ResponseTimeTests {
    static let rows: [(own: String?, expected: Duration?)] = [
        (nil, nil), ("{response_header: 10m}", .seconds(600)), ("{response_header: 250ms}", .milliseconds(250)),
        ("{response_header: null}", nil), ("{}", nil), ("null", nil),
    ]

    @Test("is the whole file's, unless an API has its own", arguments: rows)
    func own(_ own: String?, _ expected: Duration?) throws {
        let yaml = "timeouts: {response_header: 7s}\n" + Minimal.withAPI(own.map { "timeouts: \($0)" } ?? "")
        let configuration = try read(yaml)
        #expect(configuration.apis.first?.responseHeaderTimeout == expected)
        #expect(configuration.timeouts.responseHeader == .seconds(7))
    }
}
