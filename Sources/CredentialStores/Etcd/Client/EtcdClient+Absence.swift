import FoundationEssentials
import Settings

// MARK: - Servers that do not answer

extension EtcdClient {
    /// A key that nobody has. Where it may not be read, etcd says so only with the servers' agreement, too.
    private static let question = EtcdRange(key: EtcdBytes("paraph: is anybody there?"))

    /// Asks all servers at once whether they answer, with the others' agreement. Requests go to the first that does.
    func isAnyBack() async -> Bool {
        await withTaskGroup(of: Int?.self) { group in
            for (index, endpoint) in endpoints.enumerated() {
                group.addTask { await self.isBack(endpoint) ? index : nil }
            }
            for await case let index? in group {
                group.cancelAll()
                prefer(index)
                return true
            }
            return false
        }
    }

    private func isBack(_ endpoint: EtcdEndpoint) async -> Bool {
        guard let body = try? JSONEncoder().encode(Self.question) else { return false }
        do throws(ServerFailure) {
            let _: EtcdRange.Response = try await send(body, to: EtcdRange.path, at: endpoint)
            return true
        } catch {
            if case .refusal(let refusal) = error { return !refusal.isOfServer }
            return false
        }
    }
}
