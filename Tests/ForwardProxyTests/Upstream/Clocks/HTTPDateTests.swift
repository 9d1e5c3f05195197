import Testing

@testable import ForwardProxy

@Suite("HTTP dates")
struct HTTPDateTests {
    @Test(
        "All three formats of RFC 9110 are read",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
            ("Thursday, 06-Nov-14 08:49:37 GMT", 1_415_263_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200), ("Sat, 21 Nov 2026 15:00:00 GMT", 1_795_273_200),
        ]
    )
    func reads(text: String, seconds: Int64) {
        #expect(HTTPDate.seconds(text) == seconds)
    }

    @Test(
        "What is no date is nil",
        arguments: [
            "", "yesterday", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 32 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Now 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 19940000000 08:49:37 GMT",
        ]
    )
    func refuses(text: String) {
        #expect(HTTPDate.seconds(text) == nil)
    }
}
