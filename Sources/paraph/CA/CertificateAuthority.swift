import ArgumentParser

/// The local CA.
struct CertificateAuthority: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ca",
        abstract: "See, hand out and renew the local CA.",
        discussion: """
            The local CA signs the certificates that clients see for the hosts of the configured APIs. Clients have to \
            trust it. It can sign for these hosts alone; when hosts are added, it has to be renewed.
            """,
        subcommands: [ShowAuthority.self, ExportAuthority.self, RenewAuthority.self]
    )
}
