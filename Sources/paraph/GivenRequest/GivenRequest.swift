import Bytes
import Credentials
import OAuthSigning
import SignatureComparison

/// A request as a command is given it, in whatever form: the parts of it that are signed, and what is not known of
/// them.
struct GivenRequest: Sendable, Equatable {
    /// The form that it was read in; nil: the options of the command line.
    var format: RequestFormat?
    var method: String
    /// A whole URL; or a path with its query, as a server receives it.
    var target: String
    /// The scheme that goes with a path; nil where nothing tells it.
    var scheme: URIScheme?
    var fields: [RequestField] = []
    var body: [UInt8]?
    /// The reason why the body is not known, and what to do; nil where it is known, or there is none.
    var missingBody: String?
    /// The account that the request was signed as, where that is told.
    var account: CredentialName?
    /// Remarks on what was taken for granted, and on what is missing: a sentence each.
    var notes: [String] = []

    /// A remark on values that whoever wrote a request down has left out.
    static let noteOnHiddenValues =
        "Values were left out where the request was written down (…): with what stands there, no signature of it is right."

    /// Indicates whether the scheme is taken for granted, and known to the proxy alone that sends the request.
    var hasAssumedScheme: Bool { format == .accessLog || target.utf8.first == UInt8(ascii: "/") && scheme == nil }

    func fieldValue(_ name: String) -> String? { values(of: name).first }

    func values(of name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// Puts a field in the place of all of its name.
    mutating func replace(_ name: String, _ value: String) {
        fields.removeAll { $0.name.lowercased() == name.lowercased() }
        fields.append(RequestField(name: name, value: value))
    }

    /// A sentence on what is odd about the body; nil when nothing is.
    var bodyRemark: String? {
        guard let type = fieldValue("Content-Type"), isFormMediaType(Array(type.utf8).span),
            SignatureComparison.isJSONDocument(body ?? [])
        else { return nil }
        return "The body is JSON, but goes out as \(PrintableText(type, limit: 60)), which curl's -d sends by itself. "
            + "Whoever takes it for a form signs it as one parameter. Send Content-Type: application/json: then it is not "
            + "signed."
    }

    /// The URL, whole. That of a path has the host of the Host field, and `https` unless another scheme is known.
    var url: String {
        get throws(GivenRequestError) {
            guard target.utf8.first == UInt8(ascii: "/") else { return target }
            guard let host = fieldValue("Host") else { throw .hostMissing(path: target) }
            guard Self.isAuthority(host) else { throw .hostMalformed(host) }
            return "\((scheme ?? .https).rawValue)://\(host)\(target)"
        }
    }

    /// Returns whether a Host field's value can stand in a URL.
    static func isAuthority(_ host: String) -> Bool {
        !host.isEmpty && host.utf8.first != UInt8(ascii: ":")
            && host.utf8.allSatisfy { !$0.isControl && !" /?#@\\".utf8.contains($0) }
    }
}

/// A field of a request.
struct RequestField: Sendable, Equatable {
    let name: String
    let value: String
}
