import Testing

@testable import OpenTelemetry

@Suite("The traceparent field")
struct TraceParentTests {
    @Test("A value of version 00, and of a later one that goes on")
    func reads() throws {
        let value = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        let parent = try #require(TraceParent(value.utf8))
        #expect("\(parent.traceID)" == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect("\(parent.parentID)" == "00f067aa0ba902b7")
        #expect(parent.isSampled)
        #expect(TraceParent(value.replacing("-01", with: "-00").utf8)?.isSampled == false)
        #expect(TraceParent("cc\(value.dropFirst(2))-more".utf8) == parent)
    }

    @Test(
        "A value that is none",
        arguments: [
            "", "00", "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-",
            "00-4bf92f3577b34da6a3ce929d0e0e473-600f067aa0ba902b7-01",
            "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0g",
        ]
    )
    func refuses(value: String) {
        #expect(TraceParent(value.utf8) == nil)
    }
}
