import HTTP1Codec
import Testing

@Suite struct MessageErrorTests {
    @Test func `Labels and sentences are unique`() {
        #expect(Set(MessageError.allCases.map(\.label)).count == MessageError.allCases.count)
        #expect(Set(MessageError.allCases.map(\.description)).count == MessageError.allCases.count)
    }

    @Test(arguments: MessageError.allCases)
    func `A label is one word of lower case and a description one sentence`(_ error: MessageError) {
        let isWord = error.label.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F
        }
        #expect(isWord)
        #expect(error.description.hasSuffix("."))
        #expect(error.description.first?.isUppercase == true)
        #expect([400, 414, 431, 501, 505].contains(error.status))
    }
}
