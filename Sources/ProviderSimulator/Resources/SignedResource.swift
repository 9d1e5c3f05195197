import FoundationEssentials
import OAuthSigning

/// A resource for which a request must be signed.
struct SignedResource {
    let endpoint: ProviderEndpoint

    func answer(_ request: ReceivedRequest, _ verified: VerifiedRequest, _ state: ProviderState) -> EndpointResult {
        let user = verified.token.flatMap { state.tokens[$0]?.token.user }
        let answer =
            if endpoint == .identity, let user {
                SimulatedAnswer.json(IdentityReport(user: user))
            } else {
                SimulatedAnswer(
                    status: 200,
                    contentType: SimulatedAnswer.jsonType,
                    body: VerificationReport(request, verified, user: user).json
                )
            }
        return EndpointResult(outcome: .resourceServed(verified, user: user), answer: answer)
    }
}

/// The answer of a protected resource: what the provider has verified, for people and tests to read.
private struct VerificationReport: Encodable {
    private struct User: Encodable {
        let id: String
        let screen_name: String
    }

    private let verified = true
    private let consumer_key: String
    private let token: String?
    private let user: User?
    private let signature_method: String
    private let method: String
    private let url: String
    /// The parameters of the query, then of the form: each `name=value`, decoded.
    private let parameters: [String]
    private let body_bytes: Int

    init(_ request: ReceivedRequest, _ verified: VerifiedRequest, user: ProviderUser?) {
        consumer_key = verified.consumerKey
        token = verified.token
        self.user = user.map { User(id: $0.id, screen_name: $0.screenName) }
        signature_method = verified.signatureMethod.rawValue
        method = request.method
        url = "https://\(request.authority)\(request.target)"
        parameters = (FormPairs(request.query.utf8).pairs + request.form.pairs)
            .map { "\($0.name)=\($0.value)" }
        body_bytes = request.body.count
    }

    /// The report in JSON, with a line feed at its end.
    var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Strings, numbers and lists of them can always be encoded.
        let bytes = (try? encoder.encode(self)) ?? Data()
        return Array(bytes) + [UInt8(ascii: "\n")]
    }
}

/// The user whose token it is, as X and Facebook tell it.
struct IdentityReport: Encodable {
    /// A number where the id is one.
    private enum Identifier: Encodable {
        case number(UInt64)
        case text(String)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .number(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            }
        }
    }

    private let id: Identifier
    private let id_str: String
    private let name: String
    private let screen_name: String

    init(user: ProviderUser) {
        id = UInt64(user.id).map(Identifier.number) ?? .text(user.id)
        id_str = user.id
        name = user.screenName
        screen_name = user.screenName
    }
}
