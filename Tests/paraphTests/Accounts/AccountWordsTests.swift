import Credentials
@testable import paraph
import Testing

@Suite("Names of accounts on a command line") struct AccountWordsTests {
    /// The words, parted by spaces, and the accounts that they name, likewise; nil: they name none.
    static let wordCases: [(String, String?)] = [
        ("x/alice", "x|alice"), ("x/alice y/bob", "x|alice y|bob"), ("x alice", "x|alice"), ("x a/b", nil),
        ("x/a/b x/c", "x|a/b x|c"), ("x/ y", nil), ("/a", nil), ("x", nil), ("x y z", nil), ("x/a y", nil), ("", ""),
    ]

    @Test("are API/ACCOUNT each, or one account as two words", arguments: wordCases)
    func words(_ words: String, _ expected: String?) {
        let names = try? AccountWords.names(words.split(separator: " ").map(String.init))
        #expect(names?.map { "\($0.api)|\($0.account)" }.joined(separator: " ") == expected)
    }

    /// Lines, and the account that each names; nil: it names none.
    static let lineCases: [(String, String?)] = [
        ("x\talice", "x|alice"), ("x\talice\taccess token\tnot used", "x|alice"), ("x/alice", "x|alice"),
        (#"{"api":"x","account":"a\tb/c"}"#, "x|a\tb/c"), (#"{"api":"x"}"#, nil), ("alice", nil),
    ]

    @Test("are read from what the list prints, too", arguments: lineCases)
    func lines(_ line: String, _ expected: String?) {
        let name = try? AccountWords.name(line: Array(line.utf8))
        #expect(name.map { "\($0.api)|\($0.account)" } == expected)
    }
}
