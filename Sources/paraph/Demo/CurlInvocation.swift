import Bytes
import Credentials
import FoundationEssentials

/// A curl command: as arguments, and as a person pastes it into a shell.
struct CurlInvocation {
    /// The arguments, those together that belong on one line.
    let groups: [[String]]
    /// `NAME=value`, before the command.
    var environment: [String] = []

    var arguments: [String] { groups.flatMap(\.self) }

    /// Lines for a shell. The first group shares its line with the command.
    var shellLines: [String] {
        let lines = groups.map { $0.map { shellQuoted($0) }.joined(separator: " ") }
        var result = environment
        for (number, line) in lines.enumerated() {
            result.append((number == 0 ? "curl " : "     ") + line)
        }
        let last = result.count - 1
        return result.enumerated().map { $0 < last ? $1 + " \\" : $1 }
    }

    /// The environment that the command is run with: this process's without anything that tells curl of proxies or of
    /// certificates, and what the command itself sets.
    var processEnvironment: [String] {
        let inherited = ProcessInfo.processInfo.environment.filter { name, _ in
            let name = name.lowercased()
            return !name.hasSuffix("_proxy") && !name.hasPrefix("curl_") && !name.hasPrefix("ssl_cert_")
        }
        return inherited.map { "\($0)=\($1)" } + environment
    }

    /// curl's place by `PATH`; nil when there is none.
    static var path: String? { ChildProcess.path(of: "curl") }
}
