import FoundationEssentials

/// The files that X509 looks for the system's roots in.
enum SystemRoots {
    private static let files = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"]

    /// Whether one of them can be read. Asked only when a chain has failed, to find the words.
    static var exist: Bool { files.contains { FileManager.default.isReadableFile(atPath: $0) } }
}
