import ParaphConfiguration
import Settings
import Testing

@Suite("HTTP/2")
struct HTTP2UseTests {
    static let rows: [(top: String?, own: String?, clients: Bool, upstreams: Bool)] = [
        (nil, nil, true, true), (nil, "off", true, false), (nil, "on", true, true), (nil, "null", true, true),
        ("on", nil, true, true), ("off", nil, false, false), ("false", "true", false, true), ("null", nil, true, true),
        ("{clients: off}", nil, false, true), ("{upstreams: off}", nil, true, false),
        ("{clients: on, upstreams: off}", "on", true, true), ("{clients: off, upstreams: on}", "off", false, false),
        ("{}", nil, true, true),
    ]

    @Test("is spoken on each side unless it is switched off; an API has the last word on its own", arguments: rows)
    func sides(_ top: String?, _ own: String?, _ clients: Bool, _ upstreams: Bool) throws {
        let line = { (value: String?) in value.map { "http2: \($0)\n" } ?? "" }
        let configuration = try read(Minimal.withAPI(line(own)) + line(top))
        #expect(configuration.proxy.offersHTTP2 == clients)
        #expect(configuration.proxy.apis.first?.usesHTTP2 == upstreams)
    }
}
