import ArgumentParser
import Files
import FoundationEssentials
import Glibc
import LocalAuthority
import SystemPackage

/// Writes the CA's certificate for clients to trust.
struct ExportAuthority: ParsableCommand {
    /// The password that Java's tools and their users expect of a truststore.
    private static let customaryPassword = "changeit"

    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the local CA's certificate for clients to trust; never its key.",
        discussion: """
            --format pkcs12 writes a truststore for Java (-Djavax.net.ssl.trustStore=FILE \
            -Djavax.net.ssl.trustStoreType=PKCS12). Its password protects nothing secret, for certificates are public: \
            it is "changeit", which Java takes for granted, where $PARAPH_TRUSTSTORE_PASSWORD or --password-file say no \
            other.
            """
    )

    @Option(help: "pem, der or pkcs12.")
    var format = ExportFormat.pem

    @Option(help: ArgumentHelp("Write this file instead of standard output.", valueName: "file"), completion: .file())
    var out: String?

    @Option(
        help: ArgumentHelp("The truststore's password is the first line of this file.", valueName: "file"),
        completion: .file()
    )
    var passwordFile: String?

    @OptionGroup
    var option: AuthorityOption

    func validate() throws {
        guard passwordFile == nil || format == .pkcs12 else {
            throw ValidationError("--password-file is for --format pkcs12; nothing else has a password.")
        }
    }

    func run() throws {
        let (certificate, _) = try option.load()
        guard format.isText || out != nil || isatty(STDOUT_FILENO) == 0 else {
            StandardError.print("paraph: \(format.rawValue) is no text: name a file with --out, or redirect the output")
            throw ExitCode(EX_USAGE)
        }
        do {
            let bytes =
                switch format {
                case .pem: Array(certificate.pem.utf8)
                case .der: certificate.der
                case .pkcs12:
                    try PKCS12TrustStore.encode([("paraph", certificate.trustStoreDER)], password: try password())
                }
            try write(bytes)
        } catch {
            StandardError.print("paraph: \(error)")
            throw ExitCode.badData
        }
    }

    private func password() throws -> String {
        let environment = ProcessInfo.processInfo.environment
        let text =
            if let passwordFile {
                String(decoding: try GivenFile.read(passwordFile).prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
            } else {
                environment["PARAPH_TRUSTSTORE_PASSWORD"] ?? Self.customaryPassword
            }
        // keytool asks for six characters, and Java for ASCII.
        guard text.utf8.count >= 6, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw ExportError.passwordNotForJava
        }
        return text
    }

    private func write(_ bytes: [UInt8]) throws(ExportError) {
        do throws(Errno) {
            guard let out else { return try FileDescriptor.standardOutput.write(all: bytes) }
            try FileContents.write(bytes, to: out, mode: [.ownerReadWrite, .groupRead, .otherRead])
        } catch {
            throw .notWritten(out ?? "the standard output", error)
        }
    }
}

/// The reason why no certificate was written.
private enum ExportError: Error, CustomStringConvertible {
    case passwordNotForJava
    case notWritten(String, Errno)

    var description: String {
        switch self {
        case .passwordNotForJava:
            "the truststore's password is not one that Java takes: six characters of ASCII at least"
        case .notWritten(let place, let error): "\(place) cannot be written: \(error.reason)"
        }
    }
}

/// The format in which a certificate is written for clients.
enum ExportFormat: String, CaseIterable, ExpressibleByArgument {
    case pem
    case der
    case pkcs12

    var isText: Bool { self == .pem }
}
