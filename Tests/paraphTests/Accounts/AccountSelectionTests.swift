import Credentials
@testable import paraph
import Testing

@Suite("APIs and accounts that words name") struct AccountSelectionTests {
    /// The words, parted by spaces, and the APIs and accounts that they name, in any order.
    static let cases: [(String, apis: String, accounts: String)] = [
        ("", "", ""), ("one", "one", ""), ("nope", "nope", ""), ("one/default", "", "one|default"),
        ("one two", "one two", ""), ("one/default two", "two", "one|default"),
        ("two one/default", "two", "one|default"),
        ("one/default two/alice", "", "one|default two|alice"), ("one alice", "", "one|alice"),
        ("nope alice", "", "nope|alice"), ("one/a two one/b/c", "two", "one|a one|b/c"),
    ]

    @Test("A word with a slash is an account and one without is an API, wherever it stands", arguments: cases)
    func words(_ words: String, apis: String, accounts: String) throws {
        let selection = try AccountSelection(words.split(separator: " ").map(String.init), apis: ["one", "two"])
        #expect(selection.apis.joined(separator: " ") == apis)
        let named = selection.accounts.map { "\($0.api)|\($0.account)" }
        #expect(named.joined(separator: " ") == accounts)
    }

    @Test(
        "Among several words one that names no API is refused, in a sentence with the form of an account",
        arguments: [
            ("two alice one alice", "two/alice"), ("alice two one alice", "two/alice"), ("one/a alice", "one/alice"),
            ("alice one/a", "one/alice"), ("nope one", "one/nope"),
        ]
    )
    func refused(words: String, example: String) {
        let error = #expect(throws: AccountWordsError.self) {
            try AccountSelection(words.split(separator: " ").map(String.init), apis: ["one", "two"])
        }
        #expect(error?.description.contains("there are: one, two.") == true)
        #expect(error?.description.hasSuffix("API/ACCOUNT, like \(example).") == true)
    }

    @Test("Everything is selected where nothing is named")
    func everything() throws {
        let (all, some) = (try AccountSelection([], apis: []), try AccountSelection(["one"], apis: ["one"]))
        let (own, other) = (
            CredentialName(api: "one", account: "a"), CredentialName(api: "two", account: "a")
        )
        #expect(all.contains(own) && all.contains(other))
        #expect(some.contains(own) && !some.contains(other))
    }
}
