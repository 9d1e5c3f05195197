import Bytes
import FoundationEssentials
import Settings

// MARK: - Examination

extension EtcdClient {
    /// Asks each server by itself how it is, all at once.
    /// - Returns: The servers in the order in which they were given.
    func serverReports() async -> [EtcdServerReport] {
        await withTaskGroup(of: (Int, EtcdServerReport).self) { group in
            for (index, endpoint) in endpoints.enumerated() {
                group.addTask { (index, await self.report(on: endpoint)) }
            }
            var reports: [(index: Int, report: EtcdServerReport)] = []
            for await (index, report) in group { reports.append((index, report)) }
            return reports.sorted { $0.index < $1.index }.map(\.report)
        }
    }

    private func report(on endpoint: EtcdEndpoint) async -> EtcdServerReport {
        let answer: EtcdServerReport.Answer
        do throws(ServerFailure) {
            let status: EtcdServerStatus.Response = try await send(
                Data("{}".utf8),
                to: EtcdServerStatus.path,
                at: endpoint
            )
            answer = .answers(
                version: status.version.map { condensed($0, limit: 50) },
                hasLeader: status.hasLeader,
                faults: (status.errors ?? []).prefix(5).map { condensed($0, limit: 300) }
            )
        } catch {
            answer =
                switch error {
                case .refusal(let refusal) where !refusal.isOfServer: .refuses(reason: error.words)
                case .refusal, .unreachable, .silent: .fails(reason: error.words)
                }
        }
        return EtcdServerReport(endpoint: endpoint, answer: answer)
    }
}
