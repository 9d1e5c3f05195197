import Bytes
import Crypto
import FoundationEssentials

@testable import OAuthSigning

/// Requests that are signed: the base string and the signature are those of a second implementation, and the request is
/// verified as it is sent.
///
/// The input is a byte of choices, then method, authority, target, nonce and body, each ended by a line feed; the body
/// is everything that is left.
enum BaseStringTarget: FuzzTarget {
    static let name = "base-string"

    private static let form = Array("application/x-www-form-urlencoded".utf8)

    static func check(_ input: [UInt8]) {
        var reader = InputReader(input)
        let choice = reader.byte()
        let scheme = choice & 1 == 0 ? URIScheme.https : .http
        let method = reader.prefix(through: 0x0A)
        let authority = reader.prefix(through: 0x0A)
        let target = reader.prefix(through: 0x0A)
        let nonce = reader.prefix(through: 0x0A)
        let body = reader.remainder()
        let placement = [ParameterPlacement.header, .query, .body, .header][Int(choice >> 1 & 3)]
        let hasForm = placement == .body || choice & 8 != 0
        let client = ClientCredentials(identifier: "k=y&", sharedSecret: Secret("s %"))
        let token = TokenCredentials(token: "t+n", secret: Secret("\u{E4}&"))
        let options = SigningOptions(
            signatureMethod: .hmacSHA1,
            placement: placement,
            includesVersion: choice & 16 != 0
        )
        checkCodec(target)
        do throws(SigningError) {
            let signer = try Signer(client: client, token: token, options: options)
            let explanation = try signer.explain(
                method: method.span,
                scheme: scheme,
                authority: authority.span,
                target: target.span,
                contentType: hasForm ? form.span : nil,
                body: body.span,
                nonce: nonce.span,
                timestamp: 1_800_000_000
            )
            var parameters: [ReferenceBaseString.Pair] = [
                (Array("oauth_consumer_key".utf8), Array("k=y&".utf8)),
                (Array("oauth_token".utf8), Array("t+n".utf8)),
                (Array("oauth_signature_method".utf8), Array("HMAC-SHA1".utf8)),
                (Array("oauth_timestamp".utf8), Array("1800000000".utf8)),
                (Array("oauth_nonce".utf8), nonce),
            ]
            if options.includesVersion { parameters.append((Array("oauth_version".utf8), Array("1.0".utf8))) }
            let expected = ReferenceBaseString.text(
                method: method,
                scheme: scheme.rawValue,
                authority: authority,
                target: target,
                form: hasForm ? body : nil,
                protocolParameters: parameters
            )
            require(explanation.baseString == expected, "\(explanation.baseString)\nshould be\n\(expected)")
            // "s %" and "ä&", percent-encoded.
            let key = SymmetricKey(data: Array("s%20%25&%C3%A4%26".utf8))
            let code = HMAC<Insecure.SHA1>.authenticationCode(for: Array(expected.utf8), using: key)
            require(explanation.signature == Data(code).base64EncodedString(), "another signature")

            let signed = try sign(signer, method, scheme, authority, target, hasForm, body, nonce)
            require(signed == explanation.signed, "signed otherwise than explained")
            let sentTarget = signed.target ?? target
            let sentBody = signed.body ?? body
            let verified = SignatureVerification.verify(
                method: method.span,
                scheme: scheme,
                authority: authority.span,
                target: sentTarget.span,
                contentType: hasForm ? form.span : nil,
                body: sentBody.span,
                authorization: signed.authorization?.span,
                clientSecret: { $0 == client.identifier ? client.sharedSecret : nil },
                tokenSecret: { $0 == token.token ? token.secret : nil }
            )
            switch verified {
            case .success(let request):
                require(request.baseString == expected, "verified another base string")
            case .failure(let failure):
                // Parameters of the protocol that were in the request already and of which none is ours, and a nonce
                // that cannot be one.
                let isExcused = explained(failure, nonce: nonce, hasOthers: hasOthers(target, hasForm ? body : []))
                require(isExcused, "not verified: \(failure.label)")
            }
        } catch {
            switch error {
            case .repeatedParameter, .targetTakesNoQuery, .formBodyRequired: return
            default: fatalError("\(name): \(error)")
            }
        }
    }

    private static func sign(
        _ signer: Signer,
        _ method: [UInt8],
        _ scheme: URIScheme,
        _ authority: [UInt8],
        _ target: [UInt8],
        _ hasForm: Bool,
        _ body: [UInt8],
        _ nonce: [UInt8]
    ) throws(SigningError) -> SignedRequest {
        var scratch = SigningScratch()
        return try signer.sign(
            method: method.span,
            scheme: scheme,
            authority: authority.span,
            target: target.span,
            contentType: hasForm ? form.span : nil,
            body: body.span,
            nonce: nonce.span,
            timestamp: 1_800_000_000,
            scratch: &scratch
        )
    }

    private static func explained(_ failure: VerificationFailure, nonce: [UInt8], hasOthers: Bool) -> Bool {
        switch failure {
        case .parameterRejected(let name): name == "oauth_nonce" && nonce.isEmpty || hasOthers
        default: hasOthers
        }
    }

    /// Indicates whether the request had a parameter of the protocol before it was signed.
    private static func hasOthers(_ target: [UInt8], _ form: [UInt8]) -> Bool {
        let query = target.drop { $0 != 0x3F }.dropFirst()
        return [query, form[...]].contains { pairs in
            pairs.split(separator: 0x26).contains {
                ReferenceBaseString.decoded($0.prefix { $0 != 0x3D }).starts(with: "oauth_".utf8)
            }
        }
    }

    private static func checkCodec(_ bytes: [UInt8]) {
        let encoded = PercentEncoding.encode(bytes)
        require(encoded == ReferenceBaseString.encoded(bytes), "encoded otherwise")
        require(PercentEncoding.decodeLeniently(encoded.span) == bytes, "not decoded to what was encoded")
        let decoded = PercentEncoding.decodeLeniently(bytes.span, plusIsSpace: true)
        require(decoded == ReferenceBaseString.decoded(bytes[...]), "decoded otherwise")
    }
}
