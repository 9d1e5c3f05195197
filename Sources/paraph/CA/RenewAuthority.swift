import ArgumentParser
import FoundationEssentials
import LocalAuthority
import ParaphConfiguration

/// Makes the CA's certificate anew, for the hosts that are configured now.
struct RenewAuthority: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew",
        abstract: "Make the local CA's certificate anew, for the hosts that are configured now.",
        discussion: """
            The key and the name stay, so that the old and the new certificate verify the same leaves: clients that have \
            the old one go on working for its hosts, and are given the new one in place of it when it suits. The old \
            certificate is kept beside the new one. A proxy that runs takes the new one at a reload (SIGHUP, or POST /reload \
            on the admin listener) or when it is started again. Where proxies share the CA (authority.shared), it is \
            renewed for all of them. A CA that Paraph did not make is not renewed.
            """
    )

    @Flag(
        help: """
            Make a new key too, after the old one may have been seen by others. Clients with the old certificate then \
            refuse every leaf: give them the new one before the proxy takes it, and take the old one from them.
            """
    )
    var newKey = false

    @OptionGroup
    var option: ConfigurationOption

    func run() async throws {
        ProcessHardening.apply()
        let configuration = try await option.load()
        let renewal: AuthorityRenewal
        do {
            renewal = try await renew(configuration)
        } catch {
            StandardError.print("paraph: \(error)")
            throw ExitCode.badData
        }
        StandardOutput.print(report(renewal, configuration.authority))
    }

    private func renew(_ configuration: Configuration) async throws -> AuthorityRenewal {
        if configuration.authority.isShared {
            let opened = try await BlockingWork.run { try OpenedStore.open(configuration.vault) }
            if let shared = SharedAuthority(configuration, opened) {
                return try await opened.closing { try await shared.renew(withNewKey: newKey) }
            }
        }
        return try await BlockingWork.run { [newKey] in
            try LocalAuthority.renew(
                certificatePath: configuration.authority.certificate,
                keyPath: configuration.authority.privateKey,
                reach: configuration.reach,
                withNewKey: newKey,
                now: Date()
            )
        }
    }

    private func report(_ renewal: AuthorityRenewal, _ paths: AuthorityPaths) -> String {
        let taking =
            paths.isShared
            ? "Let all proxies take it, one after the other: send each SIGHUP (kill -HUP PID), or POST /reload to its admin "
                + "listener, or start it again. Until then it serves with the old one."
            : "Let the proxy take it: send the running paraph SIGHUP (kill -HUP PID), or POST /reload to its admin listener, or "
                + "start it again."
        let steps =
            newKey
            ? """
            \(paths.isShared ? "A proxy that starts from now on serves by the new key: do not start more before 1 is done.\n" : "")\
            1. Give clients the new certificate (paraph ca export) beside the old one.
            2. \(taking)
            3. Take the old certificate from the clients: its key is good for its hosts as long as they trust it.
            """
            : """
            1. \(taking)
            2. Give clients the new certificate (paraph ca export) in place of the old one, not beside it. Those that \
            have the old one go on working for its hosts: \(renewal.previous.permitted.joined(separator: ", ")).
            """
        return """
            certificate: \(paths.certificate)
            SHA-256: \(renewal.certificate.fingerprint)
            permitted: \(renewal.certificate.permitted.joined(separator: ", "))
            old certificate: \(renewal.keptPath)
            old SHA-256: \(renewal.previous.fingerprint)
            \(steps)
            """
    }
}
