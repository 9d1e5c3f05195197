import Testing

@testable import paraph

@Suite struct PageTests {
    private func write(to page: inout Page) {
        page.title("Title")
        page.line("a line")
        page.transcript(["said", ""], mark: ">")
        page.entry("label", "one", "two")
        page.verdict("Good.", isGood: true)
    }

    @Test func `plain text reads well`() {
        var page = Page(style: .plain)
        write(to: &page)
        #expect(
            page.text == """

                Title
                   a line
                   > said
                   >
                   label          one
                                  two

                Good.

                """
        )
    }

    @Test func `bold and colour add nothing but control sequences`() {
        var plain = Page(style: .plain)
        var set = Page(style: .terminal)
        write(to: &plain)
        write(to: &set)
        #expect(set.text != plain.text)
        #expect(set.text.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain.text)
    }

    @Test func `what came over the network does not command the terminal`() {
        var page = Page(style: .plain)
        page.line("a\u{1B}[2Jb\u{7}c\u{9B}d\r")
        #expect(page.text == #"   a\u{1b}[2Jb\u{7}c\u{9b}d\u{d}"# + "\n")
    }
}
