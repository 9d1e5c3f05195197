import ArgumentParser
import Bytes
import Glibc
import OAuthSigning

/// The way in which the request of `paraph explain` is signed.
struct ExplainedSignature: ParsableArguments {
    @Option(
        help: """
            HMAC-SHA1, HMAC-SHA256, HMAC-SHA512, RSA-SHA1, RSA-SHA256, RSA-SHA512 or PLAINTEXT; otherwise that of the \
            account, or HMAC-SHA1.
            """
    )
    var signatureMethod: SignatureMethod?

    @Option(help: "The nonce; a random one otherwise.")
    var nonce: String?

    @Option(help: "The timestamp in seconds since 1970; now otherwise.")
    var timestamp: String?

    @Option(help: "The realm.")
    var realm: String?

    @Option(
        help:
            """
            When oauth_body_hash is sent: off, on (for bodies that are not forms) or always (for every body; the fields \
            of a form are then not signed one by one, as Mastercard has it). Otherwise as the account has it, or off.
            """
    )
    var bodyHash: BodyHashPolicy?

    @Option(help: "Where the parameters are placed: header, query or body; otherwise as the account has it, or header.")
    var placement: ParameterPlacement?

    @Option(
        help: ArgumentHelp(
            "A further protocol parameter, such as oauth_callback=oob. May be repeated.",
            valueName: "name=value"
        )
    )
    var parameter: [ProtocolParameter] = []

    @Flag(help: "Leave oauth_version out.")
    var omitVersion = false

    /// Returns a way of signing with what is given here in the place of what it has.
    func applied(to options: SigningOptions) -> SigningOptions {
        var options = options
        if let signatureMethod { options.signatureMethod = signatureMethod }
        if let realm { options.realm = realm }
        if let bodyHash { options.bodyHash = bodyHash }
        if let placement { options.placement = placement }
        if omitVersion { options.includesVersion = false }
        return options
    }

    /// 128 bits in hexadecimal digits.
    static func randomNonce() -> String {
        Hexadecimal.encode((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }

    /// Seconds since 1970.
    static func now() -> UInt64 { UInt64(max(time(nil), 0)) }
}

extension SignatureMethod: ExpressibleByArgument {}
extension BodyHashPolicy: ExpressibleByArgument {}
extension ParameterPlacement: ExpressibleByArgument {}

extension ProtocolParameter: ExpressibleByArgument {
    /// `name=value`.
    package init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
        self.init(name: String(argument[..<equals]), value: String(argument[argument.index(after: equals)...]))
    }
}
