import Bytes
import OAuthSigning
import SignatureComparison

/// The `Authorization` fields of a request.
struct AuthorizationFields {
    private static let parameterMark = "oauth_"

    /// The values of the fields as they were written.
    private let values: [String]
    /// The parts of the request besides that have parameters of the protocol.
    private let others: [String]

    init(of request: GivenRequest) {
        values = request.values(of: "Authorization").map { value in
            String(decoding: SentSignature.fieldValue(Array(value.utf8)), as: UTF8.self)
        }
        let query = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).dropFirst()
        let type = request.fieldValue("Content-Type").map { Array($0.utf8) } ?? []
        let form = isFormMediaType(type.span) ? request.body ?? [] : []
        let parts = [("query", query.first.map { Array($0.utf8) } ?? []), ("form", form)]
        others = parts.filter { Self.hasConsumerKey($0.1) }.map(\.0)
    }

    /// The value of the one that signs by OAuth 1.0; else of the first.
    var signing: String? { values.first { Self.scheme(of: $0) == .oauth1 } ?? values.first }

    /// Returns a sentence for each thing that is wrong with them whatever was signed. No value is shown, since it may
    /// be a password.
    ///
    /// - Parameter isSigned: Whether there is a signature, wherever it is.
    func remarks(isSigned: Bool) -> [String] {
        var remarks: [String] = []
        if values.count > 1 {
            let schemes = values.map { Self.scheme(of: $0).name }.joined(separator: ", ")
            remarks.append(
                "The request has \(values.count) Authorization fields (\(schemes)). A server takes one of them, or refuses "
                    + "both; send one."
            )
        }
        guard let signing else { return remarks }
        switch Self.scheme(of: signing) {
        case .oauth1:
            remarks += others.map { part in
                "Parameters of the protocol stand in the Authorization field and in the \(part) too; each may occur once "
                    + "(RFC 5849, section 3.1). Leave them out of one."
            }
        case .missing:
            remarks.append(
                "The Authorization field has parameters of the protocol and no scheme: write OAuth before them, as in "
                    + "Authorization: OAuth oauth_consumer_key=\"…\", …"
            )
        case .other(let name) where !isSigned:
            remarks.append(
                "The Authorization field is \(name.map { "of the scheme \($0), and " } ?? "")not of the scheme OAuth, which "
                    + "signatures of OAuth 1.0 have."
            )
        case .other: break
        }
        return remarks
    }

    private enum Scheme: Equatable {
        case oauth1
        /// It begins with a parameter of the protocol.
        case missing
        /// Another scheme, by its name; nil when it has none that can be shown.
        case other(String?)

        var name: String {
            switch self {
            case .oauth1: "OAuth"
            case .missing, .other(nil): "no scheme"
            case .other(let name?): name
            }
        }
    }

    private static func scheme(of value: String) -> Scheme {
        let lowercased = value.lowercased()
        if lowercased.hasPrefix("oauth ") { return .oauth1 }
        if lowercased.hasPrefix(parameterMark) { return .missing }
        let known = ["Basic", "Bearer", "Digest", "Token", "AWS4-HMAC-SHA256", "Negotiate"]
        return .other(known.first { lowercased.hasPrefix($0.lowercased() + " ") })
    }

    private static func hasConsumerKey(_ form: [UInt8]) -> Bool {
        form.split(separator: UInt8(ascii: "&")).contains { $0.starts(with: "oauth_consumer_key=".utf8) }
    }
}
