import ArgumentParser

@main
struct Paraph: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "paraph",
        abstract: "A forward proxy that signs API requests with OAuth.",
        discussion: """
            Clients that only know HTTPS_PROXY send their requests unsigned; for the configured API hosts the proxy \
            adds the signature and forwards over verified TLS.
            """,
        subcommands: [Demo.self, Run.self, Check.self, Explain.self]
    )
}
