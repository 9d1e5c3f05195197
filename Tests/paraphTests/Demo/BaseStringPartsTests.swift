import Testing

@testable import paraph

@Suite struct BaseStringPartsTests {
    @Test(arguments: [
        "GET&https%3A%2F%2Fapi.test%2F&a%3D1%26b%3D2%26c%3D",
        "POST&https%3A%2F%2Fapi.test%2F&a%3Dx%2526y%26b%3D%2526",
        "GET&https%3A%2F%2Fapi.test%2F&",
    ])
    func `put together again the parts are the base string`(text: String) {
        let parts = BaseStringParts(text)
        #expect([parts.method, parts.uri, parts.parameters.joined()].joined(separator: "&") == text)
    }

    @Test func `each parameter is one part, whatever its value`() {
        let parts = BaseStringParts("POST&https%3A%2F%2Fapi.test%2F&a%3Dx%2526y%26b%3D%2526")
        #expect(parts.parameters == ["a%3Dx%2526y", "%26b%3D%2526"])
    }
}
