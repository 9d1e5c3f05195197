import Testing

@testable import paraph

@Suite("The words of a shell's command")
struct ShellWordsTests {
    private func words(_ text: String) throws -> [String] {
        try ShellWords(text).words.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "Quotations, escapes and continued lines are a shell's",
        arguments: [
            ("a  b\tc\r", ["a", "b", "c"]), ("a'b c'\"d e\"f", ["ab cd ef"]), ("'' \"\"", ["", ""]),
            (#""\$\`\"\\\n""#, [#"$`"\\n"#]), (#"'\n'"#, [#"\n"#]), (#"a\ b \\ \'"#, ["a b", #"\"#, "'"]),
            ("a \\\n  b", ["a", "b"]), ("a \\\r\n b", ["a", "b"]), ("\"a\\\nb\"", ["ab"]), ("\n\n# why\na", ["a"]),
            ("a #b", ["a"]), ("a#b 'c'#d", ["a#b", "c#d"]), ("$ a$ \"b$\" 5$", ["$", "a$", "b$", "5$"]),
            (#"$'a\nb\t\'\\\x41\101\u0021\U0001F600\q\e'"#, ["a\nb\t'\\AA!\u{1F600}\\q\u{1B}"]),
            (#"$"a b""#, ["a b"]), (#"$'\xC3\xA9'"#, ["é"]), ("e\u{301} é", ["e\u{301}", "é"]),
            ("a 2>/dev/null b > c d", ["a", "b", "d"]), ("a &> x b", ["a", "b"]),
        ]
    )
    func parted(text: String, words expected: [String]) throws {
        #expect(try words(text) == expected)
    }

    @Test("The command ends where a shell ends it", arguments: ["|", ";", "&", ")", "&& b", "\nb"])
    func ends(behind: String) throws {
        let shell = try ShellWords("a 'b|c' " + behind)
        #expect(shell.words.count == 2)
        #expect(try #require(shell.end).line == 1)
        #expect(try ShellWords("a\n \n").end == nil)
    }

    @Test(
        "What only a shell could replace, and a quotation without an end, are told with the line",
        arguments: [
            ("a\\\n$TOKEN", ShellWordsError.expansion("$TOKEN", line: 2)), ("\"${A}b\"", .expansion("${A}b", line: 1)),
            ("a $(id)", .expansion("$(id)", line: 1)), ("`id`", .expansion("`id`", line: 1)),
            ("a 'b\nc", .openQuotation("'", line: 1)), ("a\\\n\"b", .openQuotation("\"", line: 2)),
            ("$'a", .openQuotation("$'", line: 1)), ("$'\\", .openQuotation("$'", line: 1)),
        ]
    )
    func refused(text: String, error: ShellWordsError) {
        #expect(throws: error) { try ShellWords(text) }
    }

    @Test(
        "The command prompt of Windows takes carets away, and the program the quotation marks",
        arguments: [
            (
                "curl ^\"https://h/?a=1^&b=2^\" ^\n  -H ^\"x: ^\\^\"y^\\^\"^\"",
                ["curl", "https://h/?a=1&b=2", "-H", "x: \"y\""]
            ),
            ("curl ^\r\n  --data-raw ^\"a^%^20b^\n\nc^\"", ["curl", "--data-raw", "a%20b\nc"]),
            ("curl \"a\\\\\" \"b\\c\" ^\"^\" ^", ["curl", "a\\", "b\\c", ""]),
        ]
    )
    func commandPrompt(text: String, words expected: [String]) {
        #expect(CommandPromptWords.isLikely(text))
        #expect(CommandPromptWords(text).words.map { String(decoding: $0, as: UTF8.self) } == expected)
    }
}
