import Bytes
import Crypto
import FoundationEssentials
import LocalAuthority

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
    static let authorityName = "authority.pem"

    /// By the files' names.
    private(set) var files: [String: [UInt8]] = [:]
    /// The name of a file for each variable that is to be set.
    private(set) var names: [String: String] = [:]
    /// Indicates whether the system's roots were looked for and there are none: hosts of no API are then not trusted.
    private(set) var lacksSystemRoots = false

    private let authority: ClientAuthority
    private let directory: String
    private let read: (String) -> [UInt8]?
    /// Of files that have been read: many variables name the same.
    private var known: [String: [UInt8]?] = [:]

    /// - Parameters:
    ///   - directory: Where the files will be. What a variable names in it already was made from this, earlier.
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
