import Testing

@testable import paraph

@Suite("The lines of a batch")
struct BatchLinesTests {
    private func lines(_ text: String, by step: Int) -> (whole: [String], last: String?) {
        var lines = BatchLines()
        var whole: [String] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            whole += lines.append(rest.prefix(step)).map { String(decoding: $0, as: UTF8.self) }
            rest = rest.dropFirst(step)
        }
        return (whole, lines.last.map { String(decoding: $0, as: UTF8.self) })
    }

    @Test("Lines come whole, however they arrive, without those that are blank", arguments: [1, 2, 5, 100])
    func splits(step: Int) {
        let (whole, last) = lines("{}\n\n \t\r\n{\"a\":1}\r\nx\n", by: step)
        #expect(whole == ["{}", "{\"a\":1}\r", "x"])
        #expect(last == nil)
    }

    @Test(
        "The last one counts though nothing ends it, unless it is blank",
        arguments: [("a\nb", "b"), ("a\n \t", nil), ("b", "b"), ("", nil)] as [(String, String?)]
    )
    func endsWithoutLineBreak(text: String, expected: String?) {
        for step in [1, 100] { #expect(lines(text, by: step).last == expected) }
    }
}
