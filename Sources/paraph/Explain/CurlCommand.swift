import Bytes
import OAuthSigning

/// The signed request as a command line for a shell.
struct CurlCommand {
    let request: ExplainableRequest
    let explanation: SigningExplanation
    /// The fields that are sent besides.
    let fields: [RequestField]
    /// The file that the body was read from; nil: it is put on the line.
    var bodyFile: String?

    /// The names of fields that are written anew, or that say too much of whoever sent the request before.
    private static let omitted: Set = [
        "host", "content-type", "content-length", "transfer-encoding", "connection", "authorization", "cookie",
        "proxy-authorization",
    ]

    var line: String {
        // curl is kept from changing what was signed.
        var words = ["curl", "--path-as-is", "--globoff"]
        switch request.method {
        case "GET" where request.body == nil: break
        case "HEAD": words.append("--head")
        default: words += ["--request", quoted(request.method)]
        }
        for (name, value) in sentFields { words += ["--header", quoted("\(name): \(value)")] }
        words += bodyWords
        words.append(quoted(url))
        return words.joined(separator: " ")
    }

    private var sentFields: [(String, String)] {
        var fields = fields.filter { !Self.omitted.contains($0.name.lowercased()) }.map { ($0.name, $0.value) }
        if let host = request.host { fields.append(("Host", host)) }
        if let contentType = request.contentType { fields.append(("Content-Type", contentType)) }
        if explanation.signed.authorization != nil { fields.append(("Authorization", explanation.authorization)) }
        return fields
    }

    private var bodyWords: [String] {
        if let body = explanation.signed.body { return ["--data-raw", quoted(String(decoding: body, as: UTF8.self))] }
        if let bodyFile { return ["--data-binary", quoted("@" + bodyFile)] }
        guard let body = request.body else { return [] }
        // What is no text cannot stand on a command line.
        guard let text = String(validating: body, as: UTF8.self), !text.unicodeScalars.contains("\0") else {
            return ["--data-binary", quoted("@FILE")]
        }
        return ["--data-raw", quoted(text)]
    }

    /// The URL, with the parameters when they are placed there.
    private var url: String {
        guard let target = explanation.signed.target, let uri = AbsoluteURI(Array(request.url.utf8).span) else {
            return ShownURL(request.url).bare
        }
        return String(decoding: uri.scheme + Array("://".utf8) + uri.authority + target, as: UTF8.self)
    }

    private func quoted(_ word: String) -> String {
        word.unicodeScalars.allSatisfy(\.isPrintable) ? shellQuoted(word) : Self.escaped(word)
    }

    /// Returns a word in quotes with everything that would not be seen as bytes in octal, as bash, zsh and POSIX since
    /// 2024 read them.
    private static func escaped(_ word: String) -> String {
        let pieces = word.unicodeScalars.map { scalar in
            switch scalar {
            case "'", "\\": "\\" + String(scalar)
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            case _ where scalar.isPrintable: String(scalar)
            default:
                String(scalar).utf8.map { byte in
                    // Three digits: a shell reads no more of them, whatever follows.
                    let digits = String(byte, radix: 8)
                    return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
                }.joined()
            }
        }
        return "$'" + pieces.joined() + "'"
    }
}
