import AdminServer
import Bytes
import ParaphConfiguration

/// The checks of `paraph doctor` for the configuration that is served by, but for those that start clients: these would
/// run with the rights and the environment of the proxy, which tell nothing of anybody's shell.
struct RunChecks: Sendable {
    let running: RunningConfiguration

    func run(_ tell: @escaping @Sendable (DoctorFinding) -> Void) async {
        let configuration = running.configuration
        let service = ServiceExamination(configuration: configuration, sendsRequests: true)
        await service.run { findings in
            for finding in findings { tell(DoctorFinding(finding)) }
        }
        let command = "paraph doctor --config \(shellQuoted(configuration.file))"
        let words = "they are tried in a shell alone"
        tell(DoctorFinding("clients", .leftOut, words, remedies: ["\(command)   # has each of them make a request"]))
    }
}
