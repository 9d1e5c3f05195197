import Bytes
import Credentials

/// The APIs, with all their accounts, and the accounts that words of a command line name.
struct AccountSelection {
    let apis: [String]
    let accounts: [CredentialName]

    /// - Parameters:
    ///   - words: An API's name or `API/ACCOUNT` each, in any order (no API's name has a slash). Two words without a
    ///     slash, of which the second names no API, are an API and its account. None of them: everything.
    ///   - known: The names of the APIs that there are.
    /// - Throws: Among several words also for a name of no API: it may be meant as an account's.
    init(_ words: [String], apis known: [String]) throws(AccountWordsError) {
        let bare = words.filter { !$0.contains("/") }
        func isKnown(_ word: String) -> Bool { known.contains { sameBytes($0, word) } }
        if words.count == 2, bare.count == 2, !isKnown(bare[1]) {
            (apis, accounts) = ([], try AccountWords.names(words))
            return
        }
        if words.count > 1, let other = bare.first(where: { !isKnown($0) }) {
            throw .noAPI(other, known: known, example: bare.first(where: isKnown) ?? known.first)
        }
        apis = bare
        accounts = try AccountWords.names(words.filter { $0.contains("/") })
    }

    func contains(_ name: CredentialName) -> Bool {
        if apis.isEmpty, accounts.isEmpty { return true }
        return accounts.contains(name) || apis.contains { sameBytes($0, name.api) }
    }
}
