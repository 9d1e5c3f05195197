import HTTP1Codec
import NIOCore
import OAuthSigning
import SignatureComparison

/// A signature that a client made itself and that goes on as it is: what is needed to say what the client did
/// differently where the provider refuses it.
enum OwnSignature: Sendable {
    /// The word that the log has for the refusal of one, where ``ProviderDiagnosis/Cause`` has words for ours.
    static let cause = "own_signature"

    /// One made with credentials that this proxy has too.
    case comparable(Comparable)
    /// The client's Authorization field cannot be read.
    case unreadable(AuthorizationFieldFault)

    /// Compares it with the right one. Takes up to a second of a processor.
    ///
    /// - Parameters:
    ///   - body: The request's, nil: it has none.
    ///   - now: Seconds since 1970.
    /// - Returns: Nil where nothing can be said.
    func outcome(body: ByteBuffer?, now: UInt64) -> Outcome? {
        switch self {
        case .comparable(let signature): signature.outcome(body: body, now: now)
        case .unreadable(let fault): Outcome(fault)
        }
    }
}

extension OwnSignature {
    struct Comparable: Sendable {
        private let request: ExplainableRequest
        private let sent: SentSignature
        private let publicKey: RSAVerificationKey?
        /// The account whose credentials were used, as `API/NAME`.
        private let account: String

        /// - Parameters:
        ///   - sent: The client's Authorization field.
        ///   - host: That of the request as it is sent, likewise its target.
        ///   - credentials: The credentials that the signature names, and whose they are.
        /// - Returns: Nil where the request is not text.
        init?(
            _ sent: SentSignature,
            head: borrowing RequestHead,
            scheme: String,
            host: ByteBuffer,
            target: ByteBuffer,
            credentials: (client: ClientCredentials, token: TokenCredentials?, account: String)
        ) {
            guard let target = target.getUTF8(), let host = host.getUTF8(), let method = head.methodBytes.getUTF8()
            else { return nil }
            request = ExplainableRequest(
                method: method,
                url: "\(scheme)://\(host)\(target)",
                contentType: head.fields.string(of: .contentType),
                consumerSecret: credentials.client.sharedSecret,
                tokenSecret: credentials.token?.secret
            )
            self.sent = sent
            publicKey = credentials.client.privateKey?.verificationKey
            account = credentials.account
        }

        func outcome(body: ByteBuffer?, now: UInt64) -> Outcome? {
            var request = request
            request.body = body.map { [UInt8](buffer: $0) }
            let comparison = try? SignatureComparison(
                of: request,
                with: .sent(sent),
                comparesParameters: false,
                publicKey: publicKey,
                now: now
            )
            return comparison.flatMap { Outcome($0, account: account) }
        }
    }
}

extension OwnSignature {
    /// What the client did differently.
    struct Outcome: Sendable, Equatable {
        private static let mostFindings = 3

        /// Sentences for the client; they may repeat of its request what is secret to others.
        let sentence: String
        /// The same without a word of the request, for the log.
        let summary: String

        init(sentence: String, summary: String) {
            self.sentence = sentence
            self.summary = summary
        }

        init(_ fault: AuthorizationFieldFault) {
            sentence = "The client's own signature: \(fault)"
            summary = sentence
        }

        init?(_ comparison: SignatureComparison, account: String) {
            // A remark says nothing of a signature that is wrong, but may be why one that is right is refused.
            let isRight = comparison.verdict == .same || comparison.verdict == .otherParameters
            let findings = comparison.findings.filter { finding in
                switch finding.certainty {
                case .proven, .seen: true
                case .remark: isRight
                case .likely: false
                }
            }
            .prefix(Self.mostFindings)
            let sentences = findings.map { $0.sentence.replacing("he other side", with: "he client") }
                .joined(separator: " ")
            let causes = findings.map(\.cause.rawValue).joined(separator: ", ")
            let lead: String
            switch comparison.verdict {
            case .same where findings.isEmpty:
                lead =
                    "The client's own signature is right by the credentials of \(account): the provider has other secrets, or "
                    + "refuses the request for another reason."
            case .same:
                lead =
                    "The client's own signature is right by the credentials of \(account), and the provider may refuse it for "
                    + "this:"
            case .otherParameters:
                lead = "The client's own signature is right by the credentials of \(account), but not what it sent:"
            case .explained: lead = "The client's own signature is wrong:"
            case .unexplained:
                lead =
                    "The client's own signature is not what the credentials of \(account) make, and no known mistake yields it."
            case .unknown: return nil
            }
            sentence = sentences.isEmpty ? lead : "\(lead) \(sentences)"
            summary = causes.isEmpty ? lead : "\(lead) \(causes)"
        }
    }
}

extension ByteBuffer {
    fileprivate func getUTF8() -> String? { String(validating: readableBytesView, as: UTF8.self) }
}
