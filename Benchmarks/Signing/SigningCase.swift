import Bytes
import OAuthSigning

/// A request and the account that it is signed for, of which a signature is made again and again.
struct SigningCase: Sendable {
    /// The case's name, with the length of the base string, which the cost depends on.
    private(set) var name: String
    private let signer: Signer
    private let method: [UInt8]
    private let target: [UInt8]
    private let contentType: [UInt8]?
    private let body: [UInt8]?

    static let authority = "api.example.com"
    static let target =
        "/1.1/statuses/show.json?id=210000000000000000&include_entities=true&tweet_mode=extended"
        + "&include_my_retweet=false&screen_name=caf%C3%A9"

    private static let authorityBytes = Array(authority.utf8)
    private static let nonce = Array("6f1d2c3b4a5968778695a4b3c2d1e0f0".utf8)
    private static let timestamp: UInt64 = 1_700_000_000

    /// A GET with five parameters in its query.
    init(getSignedWith signatureMethod: SignatureMethod, privateKey: RSASigningKey? = nil) throws {
        try self.init(
            "GET",
            target: Self.target,
            signatureMethod: signatureMethod,
            privateKey: privateKey
        )
    }

    /// A POST of a form of 1,024 bytes, all parameters of which are signed.
    init(formSignedWith signatureMethod: SignatureMethod) throws {
        var form = "status=Hello%2C+caf%C3%A9+%26+friends%21+100%25+signed&trim_user=1"
        for number in 10... {
            let pair = "&field_\(number)=value+number+\(number)%2Bx"
            guard form.utf8.count + pair.utf8.count <= 1000 else { break }
            form += pair
        }
        form += "&pad="
        form += String(repeating: "z", count: 1024 - form.utf8.count)
        try self.init(
            "POST",
            target: "/1.1/statuses/update.json?tweet_mode=extended",
            form: form,
            signatureMethod: signatureMethod
        )
    }

    private init(
        _ method: String,
        target: String,
        form: String? = nil,
        signatureMethod: SignatureMethod,
        privateKey: RSASigningKey? = nil
    ) throws {
        signer = try Signer(
            client: ClientCredentials(
                identifier: BenchmarkAccount.consumerKey,
                sharedSecret: Secret(BenchmarkAccount.consumerSecret),
                privateKey: privateKey
            ),
            token: TokenCredentials(token: BenchmarkAccount.token, secret: Secret(BenchmarkAccount.tokenSecret)),
            options: SigningOptions(signatureMethod: signatureMethod)
        )
        self.method = Array(method.utf8)
        self.target = Array(target.utf8)
        contentType = form.map { _ in Array("application/x-www-form-urlencoded".utf8) }
        body = form.map { Array($0.utf8) }
        let request = form == nil ? "GET, 5 query parameters" : "POST, form of 1 KiB"
        name = "\(signatureMethod.rawValue), \(request)"
        let explanation = try signer.explain(
            method: self.method.span,
            scheme: .https,
            authority: Self.authorityBytes.span,
            target: self.target.span,
            contentType: contentType?.span,
            body: body?.span,
            nonce: Self.nonce.span,
            timestamp: Self.timestamp
        )
        name += ", base string of \(explanation.baseString.utf8.count)"
    }

    func sign(scratch: inout SigningScratch) throws(SigningError) -> SignedRequest {
        try signer.sign(
            method: method.span,
            scheme: .https,
            authority: Self.authorityBytes.span,
            target: target.span,
            contentType: contentType?.span,
            body: body?.span,
            nonce: Self.nonce.span,
            timestamp: Self.timestamp,
            scratch: &scratch
        )
    }
}
