import FoundationEssentials
import X509

/// The roots that the system trusts, from where Linux distributions keep them.
enum SystemRoots {
    private static let loading = Task.detached(priority: .userInitiated) {
        Dictionary(grouping: read(), by: \.subject)
    }

    /// Has them read in the background, if they have not been: once for the process.
    static func startLoading() { _ = loading }

    static var bySubject: [DistinguishedName: [Certificate]] {
        get async { await loading.value }
    }

    private static let files = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"]

    /// Indicates whether one of them can be read. Asked only when a chain has failed, to find the words.
    static var exist: Bool { files.contains { FileManager.default.isReadableFile(atPath: $0) } }

    /// Those of the first file that is there, but for the ones that cannot be read.
    static func read() -> [Certificate] {
        for file in files {
            guard let data = FileManager.default.contents(atPath: file) else { continue }
            let end = "-----END CERTIFICATE-----"
            return String(decoding: data, as: UTF8.self).split(separator: end).flatMap { block in
                (try? PEMCertificates.parse(block + end)) ?? []
            }
        }
        return []
    }
}
