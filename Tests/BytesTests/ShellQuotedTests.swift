import Bytes
import Testing

@Suite("A word for a shell")
struct ShellQuotedTests {
    @Test(
        "stands for itself where no shell acts on it",
        arguments: ["a", "/etc/paraph.yaml", "k=v", "a@b:1,2+3%20_-."]
    )
    func plain(_ word: String) {
        #expect(shellQuoted(word) == word)
    }

    @Test(
        "is quoted otherwise",
        arguments: [
            ("", "''"), ("a b", "'a b'"), ("$(id)", "'$(id)'"), ("it's", #"'it'\''s'"#), ("'", #"''\'''"#),
            ("a\nb", "'a\nb'"), ("~", "'~'"), ("é", "'é'"), ("=ls", "'=ls'"),
            // Under a combining accent.
            ("'\u{301}$(id)", "''\\''\u{301}$(id)'"),
        ]
    )
    func quoted(_ word: String, _ expected: String) {
        #expect(shellQuoted(word) == expected)
    }
}
