/// A variable that tells some programs which CAs to trust, and what that means to them.
struct TrustVariable: Sendable {
    enum Effect: Sendable {
        /// The file stands in place of the roots that the program would use otherwise.
        case replaces
        /// The file is used besides them.
        case adds
    }

    let name: String
    let effect: Effect
    /// The variables that those programs look at when this one is not set, in order.
    let substitutes: [String]
    /// Indicates whether it is set only where it is set already: otherwise another one of the table does for its
    /// programs, or their own roots have to be kept.
    let onlyWhenPresent: Bool

    private init(_ name: String, _ effect: Effect, after substitutes: [String] = [], onlyWhenPresent: Bool = false) {
        self.name = name
        self.effect = effect
        self.substitutes = substitutes
        self.onlyWhenPresent = onlyWhenPresent
    }

    static let all: [TrustVariable] = [
        // OpenSSL, and with it Python, Ruby, PHP's streams and Perl; Go; .NET; rustls-native-certs and so uv and Deno.
        TrustVariable("SSL_CERT_FILE", .replaces),
        TrustVariable("NIX_SSL_CERT_FILE", .replaces, after: ["SSL_CERT_FILE"]),
        TrustVariable("CURL_CA_BUNDLE", .replaces, after: ["SSL_CERT_FILE"]),
        TrustVariable("REQUESTS_CA_BUNDLE", .replaces, after: ["CURL_CA_BUNDLE", "SSL_CERT_FILE"]),
        TrustVariable("PIP_CERT", .replaces, after: ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"]),
        TrustVariable("HTTPLIB2_CA_CERTS", .replaces, after: ["SSL_CERT_FILE"]),
        TrustVariable("AWS_CA_BUNDLE", .replaces, after: ["REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"]),
        TrustVariable("CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE", .replaces, after: ["SSL_CERT_FILE"]),
        TrustVariable("GRPC_DEFAULT_SSL_ROOTS_FILE_PATH", .replaces, after: ["SSL_CERT_FILE"]),
        TrustVariable("GIT_SSL_CAINFO", .replaces, after: ["SSL_CERT_FILE"]),
        TrustVariable("CARGO_HTTP_CAINFO", .replaces, after: ["SSL_CERT_FILE"]),
        TrustVariable("PERL_LWP_SSL_CA_FILE", .replaces, after: ["SSL_CERT_FILE"]),
        TrustVariable("HEX_CACERTS_PATH", .replaces, after: ["SSL_CERT_FILE"]),
        // Haskell's crypton.
        TrustVariable("SYSTEM_CERTIFICATE_PATH", .replaces, after: ["SSL_CERT_FILE"]),
        TrustVariable("JULIA_SSL_CA_ROOTS_PATH", .replaces, after: ["SSL_CERT_FILE"]),
        TrustVariable("CMAKE_TLS_CAINFO", .replaces, after: ["SSL_CERT_FILE"]),
        // Swift's Foundation, whose URLSession is libcurl.
        TrustVariable("URLSessionCertificateAuthorityInfoFile", .replaces, after: ["SSL_CERT_FILE"]),
        TrustVariable("NODE_EXTRA_CA_CERTS", .adds),
        TrustVariable("DENO_CERT", .adds),
        TrustVariable("HTTPS_CA_FILE", .replaces, onlyWhenPresent: true),
        TrustVariable("WEBSOCKET_CLIENT_CA_BUNDLE", .replaces, onlyWhenPresent: true),
        TrustVariable("BUNDLE_SSL_CA_CERT", .replaces, onlyWhenPresent: true),
        TrustVariable("npm_config_cafile", .replaces, onlyWhenPresent: true),
        TrustVariable("NPM_CONFIG_CAFILE", .replaces, onlyWhenPresent: true),
        TrustVariable("YARN_CA_FILE_PATH", .replaces, onlyWhenPresent: true),
        TrustVariable("YARN_HTTPS_CA_FILE_PATH", .replaces, onlyWhenPresent: true),
    ]
}
