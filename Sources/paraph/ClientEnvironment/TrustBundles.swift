import Bytes
import Crypto
import FoundationEssentials
import LocalAuthority
import UpstreamTrust

/// Files of CAs in PEM, made for the variables of ``TrustVariable``: each holds what the variable's programs trust now,
/// and the local CA. What one variable adds to its programs is not given to the others: nobody trusts more than before,
/// but for the local CA.
struct TrustBundles {
    /// A file of the system's roots; the first that is there is used.
    static let systemFiles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem",
    ]
    /// The system's roots (or what `SSL_CERT_FILE` names in their place) and the local CA.
    static let rootsName = "roots.pem"
    /// The local CA alone.
    private static let authorityName = "authority.pem"

    /// The contents, by the files' names.
    private(set) var files: [String: [UInt8]] = [:]
    /// The name of a file for each variable that is to be set.
    private(set) var names: [String: String] = [:]
    /// Indicates whether the system's roots were looked for and there are none: hosts of no API are then not trusted.
    private(set) var lacksSystemRoots = false

    private let authority: ClientAuthority
    private let directory: String
    private let read: (String) -> [UInt8]?
    /// The contents of files that have been read: many variables name the same.
    private var known: [String: [UInt8]?] = [:]

    /// - Parameters:
    ///   - directory: The directory where the files will be. What a variable names in it already was made from this,
    ///     earlier.
    ///   - read: The bytes of a file; nil when it cannot be read.
    init(
        authority: ClientAuthority,
        directory: String,
        environment: [String: String],
        read: @escaping (String) -> [UInt8]?
    ) {
        self.authority = authority
        self.directory = directory
        self.read = read
        for variable in TrustVariable.all where !variable.onlyWhenPresent || environment[variable.name] != nil {
            names[variable.name] = fileName(for: variable, environment)
        }
        _ = systemBundle()
    }

    private mutating func fileName(for variable: TrustVariable, _ environment: [String: String]) -> String {
        for name in [variable.name] + variable.substitutes {
            guard let path = environment[name], !path.isEmpty else { continue }
            if path == "\(directory)/\(Self.rootsName)" { break }
            if path == "\(directory)/\(Self.authorityName)" { return authorityBundle() }
            let isOwn = path.hasPrefix("\(directory)/")
            let file = isOwn ? String(path.dropFirst(directory.utf8.count + 1)) : "roots-\(Self.digest(path)).pem"
            let isOfSystem = Self.systemFiles.contains(path) && variable.effect == .replaces
            if files[file] != nil, !isOfSystem { return file }
            let roots = contents(of: path)
            if isOwn && roots == nil { continue }
            if isOfSystem && roots != nil { break }
            // A program that cannot read what the variable names trusts nobody.
            files[file] = merged(roots ?? [])
            return file
        }
        return variable.effect == .adds ? authorityBundle() : systemBundle()
    }

    private mutating func authorityBundle() -> String {
        files[Self.authorityName] = merged([])
        return Self.authorityName
    }

    private mutating func systemBundle() -> String {
        if files[Self.rootsName] == nil {
            var roots: [UInt8]?
            for path in Self.systemFiles where roots == nil { roots = contents(of: path) }
            lacksSystemRoots = roots == nil
            files[Self.rootsName] = merged(roots ?? [])
        }
        return Self.rootsName
    }

    private mutating func contents(of path: String) -> [UInt8]? {
        if let known = known[path] { return known }
        let bytes = read(path)
        known[path] = .some(bytes)
        return bytes
    }

    private func merged(_ present: [UInt8]) -> [UInt8] {
        let own = Array(authority.pem.utf8)
        let roots = PEMBlocks.removing(present, where: authority.replaces)
        guard !roots.isEmpty else { return own }
        guard !PEMBlocks.contains(own, in: roots) else { return roots }
        return roots + (roots.last == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")]) + own
    }

    private static func digest(_ path: String) -> String {
        Hexadecimal.encode(SHA256.hash(data: Array(path.utf8)).prefix(4))
    }
}

/// The local CA, as clients are given it.
struct ClientAuthority: Sendable {
    /// Its certificate in PEM; ends with a line feed.
    let pem: String
    /// The certificate that Java has to trust in its place, in DER.
    let javaDER: [UInt8]
    /// Returns whether a DER certificate is an earlier one of the CA's, which must not be beside it.
    let replaces: @Sendable (_ der: [UInt8]) -> Bool
}

extension ClientAuthority {
    init(_ certificate: AuthorityCertificate) {
        self.init(
            pem: certificate.pem,
            javaDER: certificate.trustStoreDER,
            replaces: { certificate.replaces(der: $0) }
        )
    }
}

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
