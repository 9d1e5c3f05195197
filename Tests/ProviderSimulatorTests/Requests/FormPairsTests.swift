import Testing

@testable import ProviderSimulator

@Suite struct FormPairsTests {
    @Test(arguments: [
        ("a=1&b=2", "a:1,b:2"),
        ("a=1&a=&=x&&b", "a:1,a:,:x,b:"),
        ("a+b=%2B+%2b", "a b:+ +"),
        ("a=b=c", "a:b=c"),
        ("a=%&b=%4&c=%zz&d=%+1", "a:%,b:%4,c:%zz,d:% 1"),
        ("caf%C3%A9=x", "café:x"),
        ("", ""),
    ])
    func `pairs are decoded in their order`(text: String, expected: String) {
        let pairs = FormPairs(text.utf8).pairs
        #expect(pairs.map { "\($0.name):\($0.value)" }.joined(separator: ",") == expected)
    }

    @Test func `what is encoded decodes to itself`() {
        let values = ["", "plain-._~09AZ", "a b+c&d=e%f/?#", "café \u{1F600}", "½²"]
        let encoded = FormPairs.encode(values.map { ($0, $0) })
        #expect(encoded.allSatisfy { 0x21...0x7E ~= $0 })
        #expect(FormPairs(encoded).pairs.map(\.value) == values)
        #expect(FormPairs(encoded).pairs.map(\.name) == values)
    }
}
