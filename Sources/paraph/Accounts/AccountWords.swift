import Bytes
import Credentials

/// Accounts, named by words of a command line or by lines of an input.
enum AccountWords {
    /// - Parameter words: `API/ACCOUNT` each (no API's name has a slash); or two words, an API's name and an account's.
    static func names(_ words: [String]) throws(AccountWordsError) -> [CredentialName] {
        if words.count == 2, !words[0].contains("/") { return [CredentialName(api: words[0], account: words[1])] }
        return try words.map { word throws(AccountWordsError) in
            guard let name = name(word) else { throw .noName(word) }
            return name
        }
    }

    /// - Parameter line: `API/ACCOUNT`, or a line that `paraph accounts list` prints: API, tab, account and perhaps more, or
    ///   a JSON object with `api` and `account`.
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

    var description: String {
        switch self {
        case .noName(let text):
            "\"\(condensed(text, limit: 100))\" names no account: write API/ACCOUNT, like twitter/default."
        }
    }
}
