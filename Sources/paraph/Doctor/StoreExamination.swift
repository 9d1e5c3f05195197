import Bytes
import CredentialStores
import Credentials
import Settings

/// The servers of a store that replicas share, one by one.
struct StoreExamination {
    private let opened: OpenedStore

    init(_ opened: OpenedStore) {
        self.opened = opened
    }

    /// Returns a finding for each server; none where the store is this machine's.
    func serverFindings() async -> [Finding] {
        guard let etcd = opened.etcd else { return [] }
        return Self.findings(await etcd.serverReports())
    }

    /// Returns what to do about something that is wrong with the store; nothing where the error itself says it.
    /// - Parameter prefix: The prefix of the store's keys.
    static func remedies(_ error: VaultError, prefix: String) -> [String] {
        guard case .recordUnusable(let record, let fault) = error else { return [] }
        let removal = "etcdctl del \(shellQuoted(record))"
        let sequel = "its account gets another token by itself, or logs in or is enrolled again"
        return switch (fault, record.hasPrefix("\(prefix)credentials/")) {
        case (.otherKey, true): ["\(removal)   # if the key is lost; \(sequel)"]
        case (.otherKey, false): ["put the key that the other proxies have where vault.key has another one"]
        case (.notSealed, true), (.damaged, true), (.putBack, true), (.ofEarlierKey, true):
            ["\(removal)   # \(sequel)"]
        case (.notSealed, _), (.damaged, _), (.putBack, _), (.ofEarlierKey, _), (.missing, _), (.unknownVersion, _): []
        }
    }

    static func findings(_ reports: [EtcdServerReport]) -> [Finding] {
        let isOneOfUse = reports.contains { report in
            if case .answers(_, true, _) = report.answer { true } else { false }
        }
        // The others do what one does not, as long as one does.
        let failure: Finding.Verdict = isOneOfUse ? .warns : .fails
        return reports.map { report in
            let endpoint = report.endpoint
            let look = "etcdctl --endpoints \(shellQuoted("\(endpoint)")) endpoint status"
            switch report.answer {
            case .fails(let reason):
                return Finding("etcd", failure, "\(endpoint) does not answer: \(reason)", remedy: look)
            case .refuses(let reason):
                return Finding("etcd", failure, "\(endpoint) refuses to answer: \(reason)", remedy: look)
            case .answers(let version, let hasLeader, let faults):
                let answers =
                    "\(endpoint) answers\(endpoint.scheme == .https ? " by TLS" : "")\(version.map { ", version \($0)" } ?? "")"
                guard hasLeader else {
                    return Finding(
                        "etcd",
                        failure,
                        "\(answers), but does not reach enough of the others: they have no leader",
                        remedy: look
                    )
                }
                guard faults.isEmpty else {
                    let words = faults.joined(separator: "; ")
                    return Finding("etcd", .warns, "\(answers), and says: \(words)", remedy: look)
                }
                return Finding("etcd", .works, answers)
            }
        }
    }
}
