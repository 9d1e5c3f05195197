import Bytes
import Credentials
import FoundationEssentials
import LocalAuthority
import ParaphConfiguration
import Settings

/// The addresses that the configuration has the proxy listen on, and whether it is that proxy which does.
struct ListenerExamination {
    let configuration: Configuration

    func findings() async -> (findings: [Finding], proxyIsRunning: Bool) {
        let proxy = await proxyFinding()
        let isRunning = proxy.verdict == .works
        guard let admin = configuration.admin?.address else {
            return ([proxy, Finding("admin listener", .leftOut, "it is off (listen.admin)")], isRunning)
        }
        return ([proxy] + (await adminFindings(admin, proxyIsRunning: isRunning)), isRunning)
    }

    private var start: String { "paraph run --config \(shellQuoted(configuration.file))" }

    private func proxyFinding() async -> Finding {
        let address = configuration.proxy.address
        guard address.port != 0 || address.path != nil else {
            return Finding("proxy", .leftOut, "it listens on any free port, so that it cannot be looked for")
        }
        do {
            let answer = try await PlainRequest.get(
                "/",
                from: address,
                speaksTLS: configuration.proxy.identity != nil
            )
            if answer.field("Proxy-Status")?.hasPrefix("paraph") == true {
                return Finding("proxy", .works, "listens on \(address)")
            }
            return Finding(
                "proxy",
                .fails,
                "another program listens on \(address)",
                remedy: address.path.map { "ss -xlp src \(shellQuoted($0))   # which; end it, or change listen.proxy" }
                    ?? "ss -ltnp 'sport = :\(address.port)'   # which; end it, or set listen.proxy to another port"
            )
        } catch {
            return Finding("proxy", .warns, "\(address) cannot be reached: \(error)", remedy: start)
        }
    }

    private func adminFindings(_ address: ListenAddress, proxyIsRunning: Bool) async -> [Finding] {
        let subject = "admin listener"
        guard address.port != 0 else { return [Finding(subject, .leftOut, "it listens on any free port")] }
        do {
            let readiness = try await PlainRequest.get("/readyz", from: address)
            guard readiness.status == 200 else {
                let words = "\(address) says: \(condensed(readiness.body, limit: 200))"
                return [Finding(subject, .fails, words, remedy: "paraph run's log says why; then: \(start)")]
            }
            let authority = try await PlainRequest.get("/ca.pem", from: address)
            let path = configuration.authority.certificate
            let certificate = try? await BlockingWork.run { try AuthorityCertificate.read(path: path) }
            guard let certificate, authority.body != certificate.pem else {
                return [Finding(subject, .works, "listens on \(address), and says that requests are served")]
            }
            return [
                Finding(
                    subject,
                    .fails,
                    "the proxy that runs there has another local CA than \(configuration.authority.certificate)",
                    remedy: "pkill -HUP -x paraph   # reloads the configuration and the CA",
                    "eval \"$(paraph env --config \(shellQuoted(configuration.file)))\"   # in each shell, after that"
                )
            ]
        } catch {
            guard proxyIsRunning else { return [Finding(subject, .leftOut, "nothing listens on \(address)")] }
            let words = "\(address) cannot be reached: \(error)"
            let reload = "pkill -HUP -x paraph   # the proxy reads its configuration anew"
            return [Finding(subject, .fails, words, remedy: reload)]
        }
    }
}
