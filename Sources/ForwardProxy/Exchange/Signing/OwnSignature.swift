import Bytes
import Credentials
import HTTP1Codec
import NIOCore
import OAuthSigning
import Routing
import Settings
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

    /// The secrets that it is made with.
    var secrets: [Secret] {
        switch self {
        case .comparable(let signature): signature.secrets
        case .unreadable: []
        }
    }

    /// Returns what is wrong with one that cannot be read, where that may be what the provider refuses.
    func outcome(_ diagnosis: ProviderDiagnosis?) -> Outcome? {
        guard case .unreadable(let fault) = self else { return nil }
        switch diagnosis?.cause {
        case .unknown, .signatureInvalid, .credentialsMissing, .parameterAbsent, .parameterRejected:
            return Outcome(fault)
        default: return nil
        }
    }
}

extension OwnSignature {
    /// Returns the signature that the client of a request made itself; nil where it made none, or with credentials that
    /// are not known here. One that cannot be read counts as well.
    static func read(
        in head: RequestHead,
        on route: RequestRoute,
        _ api: APIContext,
        _ tokens: WorkerTokens
    ) -> OwnSignature? {
        guard case .oauth1 = api.settings.scheme, let field = head.fields.string(of: .authorization) else { return nil }
        do throws(ComparisonError) {
            guard let sent = try SentSignature(authorization: Array(field.utf8)),
                let credentials = credentials(that: sent, on: route, api, tokens)
            else { return nil }
            return Comparable(
                sent,
                head: head,
                scheme: route.scheme.rawValue,
                host: route.host,
                target: route.requestTarget,
                credentials: credentials
            )
            .map(OwnSignature.comparable)
        } catch {
            guard case .fieldMalformed(let fault) = error else { return nil }
            return .unreadable(fault)
        }
    }

    /// Returns the credentials that a signature says it is made with, and the name of the account that has them.
    private static func credentials(
        that sent: SentSignature,
        on route: RequestRoute,
        _ api: APIContext,
        _ tokens: WorkerTokens
    ) -> (client: ClientCredentials, token: TokenCredentials?, account: String)? {
        guard let number = route.api?.index else { return nil }
        let named = route.accountReference.map { [$0] } ?? []
        let accounts = named + api.settings.accounts.indices.map { .configured(api: number, account: $0) }
        // What is told of the secrets of others is no business of the client's.
        for account in accounts where route.client?.mayUse(accountNamed: api.name(of: account)) ?? true {
            guard let client = api.oauth1(of: account)?.client, client.identifier == sent.consumerKey,
                let token = token(of: account, api, tokens), token?.token == sent.token
            else { continue }
            return (client, token, "\(api.settings.name)/\(api.name(of: account))")
        }
        return nil
    }

    /// - Returns: Nil where it is not at hand; a token that is nil where there is none.
    private static func token(
        of account: AccountReference,
        _ api: APIContext,
        _ tokens: WorkerTokens
    ) -> TokenCredentials?? {
        if let ready = tokens.cached(account) {
            switch ready.token {
            case .oauth1(let credentials): return credentials
            case .access: return nil
            case nil: return .some(nil)
            }
        }
        return switch api.settings(of: account)?.source {
        case .issued(let credentials): credentials
        case .twoLegged: .some(nil)
        case .reverseAuth, .xAuth, .threeLegged, .password, .bearer, nil: nil
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
                credentials: ExplainableCredentials(
                    consumerSecret: credentials.client.sharedSecret,
                    tokenSecret: credentials.token?.secret
                )
            )
            self.sent = sent
            publicKey = credentials.client.privateKey?.verificationKey
            account = credentials.account
        }

        var secrets: [Secret] {
            [request.credentials.consumerSecret, request.credentials.tokenSecret].compactMap { $0 }
        }

        /// Compares it with the right one. Takes up to a second of a processor.
        ///
        /// - Parameters:
        ///   - diagnosis: The provider's reason for its refusal; nil: nothing that it says concerns the signature.
        ///   - body: The request's, nil: it has none.
        ///   - now: Seconds since 1970.
        /// - Returns: Nil where nothing can be said.
        func outcome(_ diagnosis: ProviderDiagnosis?, body: ByteBuffer?, now: UInt64) -> Outcome? {
            var request = request
            request.body = body.map { [UInt8](buffer: $0) }
            let comparison = try? SignatureComparison(
                of: request,
                with: .sent(sent),
                comparesParameters: false,
                publicKey: publicKey,
                now: now
            )
            return comparison.flatMap { Outcome($0, diagnosis, account: account) }
        }
    }
}

extension OwnSignature {
    /// The result of the comparison: what the client did differently.
    struct Outcome: Sendable, Equatable {
        private static let mostFindings = 3

        /// Sentences for the client; they may repeat of its request what is secret to others.
        let sentence: String
        /// The same without a word of the request, for the log.
        let summary: String

        /// The outcome for one that is not compared, since that takes long and was done just now.
        static let notCompared = Outcome(
            sentence: "The client's own signature was refused, and not compared: one was just now. "
                + "Send the request again.",
            summary: "The client's own signature was refused, and not compared: one was just now."
        )

        init(sentence: String, summary: String) {
            self.sentence = sentence
            self.summary = summary
        }

        init(_ fault: AuthorizationFieldFault) {
            sentence = "The client's own signature: \(fault)"
            summary = sentence
        }

        init?(_ comparison: SignatureComparison, _ diagnosis: ProviderDiagnosis?, account: String) {
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
            let verdict = comparison.verdict
            guard let lead = Self.lead(verdict, diagnosis, account: account, hasFindings: !findings.isEmpty) else {
                return nil
            }
            let sentences = findings.map { $0.sentence.replacing("he other side", with: "he client") }
            let causes = findings.map(\.cause.rawValue).joined(separator: ", ")
            let words = isRight ? diagnosis.map(\.words) ?? "" : ""
            sentence = ([lead] + sentences + (words.isEmpty ? [] : ["It said: \(words)"])).joined(separator: " ")
            summary = causes.isEmpty ? lead : "\(lead) \(causes)"
        }

        private static func lead(
            _ verdict: SignatureComparison.Verdict,
            _ diagnosis: ProviderDiagnosis?,
            account: String,
            hasFindings: Bool
        ) -> String? {
            let right = "The client's own signature is right by the credentials of \(account)"
            switch verdict {
            case .unknown: return nil
            case .explained: return "The client's own signature is wrong:"
            case .same, .otherParameters, .unexplained: break
            }
            // Where what the answer says has nothing to do with it, nothing is said.
            guard let cause = diagnosis?.cause else { return nil }
            if verdict == .otherParameters { return "\(right), but not what it sent:" }
            if verdict == .unexplained {
                return "The client's own signature is not what the credentials of \(account) make, and no known "
                    + "mistake yields it."
            }
            let isUnclear = cause == .unknown || cause == .signatureInvalid
            if hasFindings, isUnclear || cause == .timestampRefused {
                return "\(right), and the provider may refuse it for this:"
            }
            return isUnclear
                ? "\(right): the provider has other secrets, or refuses the request for another reason."
                : "\(right), and the provider refuses something else: \(cause.rawValue)."
        }
    }
}

extension ByteBuffer {
    fileprivate func getUTF8() -> String? { String(validating: readableBytesView, as: UTF8.self) }
}
