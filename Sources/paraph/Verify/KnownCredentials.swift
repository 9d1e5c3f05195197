import ArgumentParser
import Bytes
import OAuthSigning
import SwiftASN1
import X509

/// The credentials that `paraph verify` knows of whoever signed.
struct KnownCredentials: ParsableArguments {
    @Option(help: "Accept this consumer key only; any otherwise.")
    var consumerKey: String?

    @Option(
        help: """
            Accept this token only, and no request without it; an empty one accepts only requests without a token. \
            Without this option any token is accepted, and none.
            """
    )
    var token: String?

    @OptionGroup
    var secrets: SharedSecrets

    @Option(
        help: ArgumentHelp(
            "A PEM file with the public key or the certificate, for the RSA methods.",
            valueName: "file"
        ),
        completion: .file()
    )
    var publicKeyFile: String?

    /// Indicates whether any of the options is given.
    var isGiven: Bool { consumerKey != nil || token != nil || publicKeyFile != nil || secrets.isGiven }

    func publicKey() async throws -> RSAVerificationKey? {
        guard let publicKeyFile else { return nil }
        let pem = String(decoding: try await GivenFile.read(publicKeyFile), as: UTF8.self)
        guard pem.contains("-----BEGIN CERTIFICATE-----") else { return try RSAVerificationKey(pem: pem) }
        // Whether the certificate is trusted or expired does not matter to whom it was given as the right one.
        guard let key = try? Certificate(pemEncoded: pem).publicKey.serializeAsPEM().pemString else {
            throw SigningError.publicKeyUnreadable
        }
        return try RSAVerificationKey(pem: key)
    }
}
