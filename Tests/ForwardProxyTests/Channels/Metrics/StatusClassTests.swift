import Testing

@testable import ForwardProxy

@Suite("Classes of status codes")
struct StatusClassTests {
    @Test(
        "A status code is of the class of its first digit",
        arguments: [
            (nil, "none"), (0, "none"), (99, "none"), (100, "1xx"), (204, "2xx"), (308, "3xx"), (499, "4xx"),
            (599, "5xx"), (600, "none"),
        ] as [(Int?, String)]
    )
    func label(status: Int?, label: String) {
        #expect(StatusClass(status).label == label)
    }
}
