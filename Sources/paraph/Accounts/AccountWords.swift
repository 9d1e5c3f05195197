import Bytes
import Credentials

/// Accounts, named by words of a command line or by lines of an input.
enum AccountWords {
    /// - Parameter words: `API/ACCOUNT` each (no API's name has a slash); or two words without a slash, an API's name
    ///   and an account's.
    static func names(_ words: [String]) throws(AccountWordsError) -> [CredentialName] {
        if words.count == 2, !words.contains(where: { $0.contains("/") }) {
            return [CredentialName(api: words[0], account: words[1])]
        }
        return try words.map { word throws(AccountWordsError) in
            guard let name = name(word) else { throw .noName(word) }
            return name
        }
    }

    /// - Parameter line: `API/ACCOUNT`, or a line that `paraph accounts list` prints: API, tab, account and perhaps
    ///   more, or a JSON object with `api` and `account`.
    static func name(line: [UInt8]) throws(AccountWordsError) -> CredentialName {
        let text = String(decoding: line, as: UTF8.self)
        if let object = JSONObject(line) {
            guard case .text(let api)? = object["api"], case .text(let account)? = object["account"] else {
                throw .noName(text)
            }
            return CredentialName(api: api, account: account)
        }
        let fields = text.split(separator: "\t", omittingEmptySubsequences: false)
        if fields.count > 1 { return CredentialName(api: String(fields[0]), account: String(fields[1])) }
        guard let name = name(text) else { throw .noName(text) }
        return name
    }

    private static func name(_ text: String) -> CredentialName? {
        guard let index = text.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        let account = String(text[text.utf8.index(after: index)...])
        guard index > text.startIndex, !account.isEmpty else { return nil }
        return CredentialName(api: String(text[..<index]), account: account)
    }
}

/// The reason why a text names no account.
enum AccountWordsError: Error, CustomStringConvertible {
    case noName(String)
    /// - Parameters:
    ///   - known: The names of the APIs that there are.
    ///   - example: The one that the sentence shows how to name an account of.
    case noAPI(String, known: [String], example: String?)
    /// The name is an API's, and accounts are asked for.
    case apiAlone(String)

    var description: String {
        switch self {
        case .noName(let text):
            return "\"\(condensed(text, limit: 100))\" names no account: write API/ACCOUNT, like twitter/default."
        case .noAPI(let name, let known, let example):
            let shown = condensed(name, limit: 100)
            let list = known.joined(separator: ", ")
            return "There is no API \"\(shown)\"; there are: \(list). Where several are named, an account is written "
                + "API/ACCOUNT, like \(example ?? "twitter")/\(shown)."
        case .apiAlone(let name):
            let shown = condensed(name, limit: 100)
            return "\"\(shown)\" names an API, not an account: write API/ACCOUNT, like \(shown)/default."
        }
    }
}
