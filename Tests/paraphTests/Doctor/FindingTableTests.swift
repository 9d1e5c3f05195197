import Testing

@testable import paraph

@Suite("The doctor's table")
struct FindingTableTests {
    private let table = FindingTable(style: .plain, subjects: ["name", "certificates"])

    @Test("A row has what it is about, whether it works, and the words")
    func showsRow() {
        let row = table.row(Finding("name", .works, "it resolves"))
        #expect(row == "name          ok     it resolves")
    }

    @Test("Further lines and remedies stand under the words")
    func alignsLines() {
        let row = table.row(Finding("name", .fails, "one\ntwo", remedy: "first", "second"))
        let lines = row.split(separator: "\n").map(String.init)
        #expect(lines.count == 4)
        #expect(lines[0] == "name          FAILS  one")
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("                     ") })
        #expect(lines[2].hasSuffix("fix: first"))
    }

    @Test("What somebody else said sets off nothing and commands nothing", arguments: [TextStyle.plain, .terminal])
    func foreignWords(style: TextStyle) {
        let table = FindingTable(style: style, subjects: ["name"])
        let foreign = "\u{1B}[1;32mok\u{1B}[0m \u{1B}]52;c;eA\u{07}"
        let row = table.row(Finding("name", .leftOut, foreign, remedy: foreign))
        #expect(!row.replacing("\u{1B}[1mfix:\u{1B}[0m", with: "").contains("\u{1B}"))
    }
}
