import Credentials
import FoundationEssentials
import ParaphConfiguration
import Routing
import Settings

/// The finding on whether this shell's variables send programs to the proxy of the configuration.
struct ShellSetting: Sendable {
    let finding: Finding
    let remedy: String
    /// They name it, and it is there.
    let isSetUp: Bool

    init(_ configuration: Configuration, proxyIsRunning: Bool) {
        let environment = ProcessInfo.processInfo.environment
        let client = configuration.access.clients.first.map { " --client \(shellQuoted($0.name))" } ?? ""
        remedy = "eval \"$(paraph env --config \(shellQuoted(configuration.file))\(client))\""
        let value = environment["https_proxy"] ?? environment["HTTPS_PROXY"] ?? ""
        let port = configuration.proxy.address.port
        // User information and a slash at the end aside.
        let isNamed = value.split(separator: "@").last?.split(separator: "/").last?.hasSuffix(":\(port)") == true
        isSetUp = isNamed && proxyIsRunning
        let subject = "this shell"
        if isSetUp {
            finding = Finding(subject, .works, "HTTPS_PROXY names the proxy that runs")
        } else if isNamed {
            let words = "HTTPS_PROXY names the proxy, which does not run: programs started here reach nothing"
            finding = Finding(
                subject,
                .fails,
                words,
                remedy: "paraph run --config \(shellQuoted(configuration.file))"
            )
        } else {
            let words = value.isEmpty ? "HTTPS_PROXY is not set" : "HTTPS_PROXY names another proxy"
            finding = Finding(
                subject,
                .warns,
                "\(words): programs started here, other than by paraph exec, do not use the proxy",
                remedy: remedy
            )
        }
    }
}
