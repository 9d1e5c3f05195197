import ArgumentParser

struct Paraph: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "paraph",
        abstract: "A forward proxy that signs API requests with OAuth.",
        discussion: """
            Clients that only know HTTPS_PROXY send their requests unsigned; for the configured API hosts the proxy \
            adds the signature and forwards over verified TLS.
            """,
        version: "0.1.0",
        subcommands: [
            Demo.self, Run.self, Exec.self, Env.self, Check.self, Doctor.self, Presets.self, Pins.self, Login.self,
            Accounts.self, CertificateAuthority.self, Explain.self, Verify.self,
        ]
    )
}
