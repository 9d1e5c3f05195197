import Bytes
import Testing

@Suite("Tokens of JSON")
struct JSONScannerTests {
    private static func tokens(_ text: String) -> [JSONScanner.Token] {
        var scanner = JSONScanner(Array(text.utf8))
        var tokens: [JSONScanner.Token] = []
        while let token = scanner.next() { tokens.append(token) }
        return tokens
    }

    @Test(
        "Any text has tokens",
        arguments: [
            ("", []), (" \t\r\n", []), ("{}[]:,", [.objectStart, .objectEnd, .arrayStart, .arrayEnd, .colon, .comma]),
            ("}:{", [.objectEnd, .colon, .objectStart]), (" \"a\" ", [.string(2..<3, isClosed: true)]),
            ("\"\"", [.string(1..<1, isClosed: true)]), (#""\"\\""#, [.string(1..<5, isClosed: true)]),
            ("\"a\n\"", [.string(1..<3, isClosed: true)]), ("\"a", [.string(1..<2, isClosed: false)]),
            ("\"", [.string(1..<1, isClosed: false)]), (#""\"#, [.string(1..<2, isClosed: false)]),
            (#""a\""#, [.string(1..<4, isClosed: false)]), ("-1.5e3,", [.word(0..<6), .comma]),
            ("true:x", [.word(0..<4), .colon, .word(5..<6)]),
            ("1\"a\"", [.word(0..<1), .string(2..<3, isClosed: true)]),
            ("a\u{0}'\\b\tc[", [.word(0..<5), .word(6..<7), .arrayStart]), ("é", [.word(0..<2)]),
        ] as [(String, [JSONScanner.Token])]
    )
    func tokens(text: String, expected: [JSONScanner.Token]) {
        #expect(Self.tokens(text) == expected)
    }

    @Test("A colon is taken where one comes next, and nothing else is")
    func colons() {
        var scanner = JSONScanner(Array("\"a\" : \"b\" ,".utf8))
        var takes = [scanner.takeColon()]
        let name = scanner.next()
        takes += [scanner.takeColon(), scanner.takeColon()]
        let value = scanner.next()
        let position = scanner.tokenPosition
        takes.append(scanner.takeColon())
        let rest = [scanner.next(), scanner.next()]
        takes.append(scanner.takeColon())
        #expect(takes == [false, true, false, false, false])
        #expect(name == .string(1..<2, isClosed: true) && value == .string(7..<8, isClosed: true))
        #expect(position == 6)
        #expect(rest == [.comma, nil])
    }

    @Test("The tokens of bytes that may be anything are in their order, and leave out blanks alone")
    func anything() {
        let alphabet = Array("{}[]:,\"\\ \na1-\u{0}".utf8)
        var state: UInt32 = 1
        for _ in 0..<2_000 {
            let bytes = (0..<12).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return alphabet[Int(state >> 16) % alphabet.count]
            }
            var scanner = JSONScanner(bytes)
            var end = 0
            while let token = scanner.next() {
                let between = Set(bytes[end..<scanner.tokenPosition])
                #expect(between.isSubset(of: [0x20, 0x0A]))
                #expect(scanner.position > scanner.tokenPosition)
                end = scanner.position
                guard case .string(let content, let isClosed) = token else { continue }
                #expect(content.lowerBound == scanner.tokenPosition + 1)
                #expect(content.upperBound == (isClosed ? end - 1 : end))
            }
            let rest = Set(bytes[end...])
            #expect(rest.isSubset(of: [0x20, 0x0A]))
        }
    }
}
