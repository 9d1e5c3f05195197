import Bytes
import Credentials

/// A request as a line of the access log tells of it.
struct LoggedRequest: Equatable {
    /// The bytes behind which a log cuts a path, and characters of a query.
    private static let longestPath = 1024

    let method: String
    let authority: String
    let path: String
    let query: String?
    let account: CredentialName?
    /// The size of its body, as it is written; nil where it has none, or the line does not tell.
    let bodySize: String?

    /// A line in JSON or of text, perhaps behind what collects lines puts before each of them (the journal, docker
    /// compose), or as the text that it wraps in JSON; nil for one of something else.
    init?(line: some StringProtocol) {
        if let start = line.firstIndex(of: "{"), let object = JSONObject(Array(line[start...].utf8)) {
            let wrapped = Self.text(object["log"]) ?? Self.text(object["MESSAGE"])
            if let wrapped, wrapped.utf8.count < line.utf8.count {
                self.init(line: wrapped)
            } else {
                self.init(object)
            }
        } else {
            self.init(text: line)
        }
    }

    private init?(_ object: JSONObject) {
        guard Self.text(object["message"]) == "request" else { return nil }
        guard let method = Self.text(object["method"]), let path = Self.text(object["path"]) else { return nil }
        self.method = method
        self.path = path
        authority = Self.text(object["authority"]) ?? ""
        query = Self.text(object["query"])
        let api = Self.text(object["api"]), account = Self.text(object["account"])
        self.account = api.flatMap { api in account.map { CredentialName(api: api, account: $0) } }
        if case .number(let size)? = object["request_bytes"], size != "0" {
            bodySize = "\(size) bytes"
        } else {
            bodySize = nil
        }
    }

    private static func text(_ value: JSONObject.Value?) -> String? {
        if case .text(let text)? = value { text } else { nil }
    }

    /// A line of text, perhaps with a terminal's colours; nil for one of something else.
    private init?(text line: some StringProtocol) {
        var words = TextLogWords(line)
        guard Self.skip(toTimeIn: &words), let status = words.next(), status == "-" || Int(status) != nil,
            let method = words.next(), let duration = words.next(), duration.hasSuffix("s"),
            let size = words.next(), size.hasSuffix("B"), let name = words.next(), let target = words.next()
        else { return nil }
        self.method = method
        let whole = TextLogWords.unescaped(target)
        authority = String(whole.prefix { $0 != "/" && $0 != "?" })
        let rest = whole.dropFirst(authority.count)
        path = String(rest.prefix { $0 != "?" })
        query = rest.contains("?") ? String(rest.dropFirst(path.count + 1)) : nil
        account = Self.account(name)
        var bodySize: String?
        while let word = words.next() {
            if word.hasPrefix("in=") { bodySize = String(word.dropFirst(3)) }
        }
        self.bodySize = bodySize
    }

    /// Returns whether there is a time among the first words, and skips it.
    private static func skip(toTimeIn words: inout TextLogWords) -> Bool {
        // As many as the journal has before it.
        for _ in 0...5 {
            guard let word = words.next() else { return false }
            if word.hasSuffix("Z"), word.contains(":") { return true }
        }
        return false
    }

    /// The API and the account of the column that has both; each is JSON where it is not plain.
    private static func account(_ column: String) -> CredentialName? {
        let parts = column.split(separator: "/", maxSplits: 1).map { part in
            part.first == "\"" ? text(JSONObject(Array("{\"x\":\(part)}".utf8))?["x"]) : String(part)
        }
        guard parts.count == 2, let api = parts[0], let account = parts[1] else { return nil }
        return CredentialName(api: api, account: account)
    }

    var request: GivenRequest {
        let target = "https://\(authority)\(path)" + (query.map { "?\($0)" } ?? "")
        var request = GivenRequest(format: .accessLog, method: method, target: target, account: account)
        request.notes = [
            query == nil
                ? "A line of the log has no fields, no signature and no body, and a query with log: {query: on} alone: if the "
                    + "request had one, it is missing."
                : "A line of the log has no fields, no signature and no body."
        ]
        request.notes.append(
            "The log has no scheme: https is taken, or http where the account's API has upstream: http."
        )
        if method.contains("…") { request.notes.append("The method was cut; a log in JSON has it whole.") }
        if target.contains("…") { request.notes.append(GivenRequest.noteOnHiddenValues) }
        if path.utf8.count >= Self.longestPath || (query?.count ?? 0) >= Self.longestPath {
            request.notes.append("The path, or the query, is as long as the log lets it be, and was cut.")
        }
        if let bodySize { request.missingBody = "The body of \(bodySize) is not in the log: give it with --data-file." }
        return request
    }
}
