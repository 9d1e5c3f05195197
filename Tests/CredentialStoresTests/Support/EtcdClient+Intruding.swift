@testable import CredentialStores
import Foundation

/// The operations of an intruder who may write to etcd, but has no vault key.
extension EtcdClient {
    func pairs(prefix: String) async throws -> [(key: String, value: Data)] {
        var range = EtcdRange(key: EtcdBytes(prefix))
        range.rangeEnd = EtcdBytes(prefix + "\u{7F}")
        return (try await send(range).kvs ?? []).map { pair in
            (String(decoding: pair.key.data, as: UTF8.self), pair.value?.data ?? Data())
        }
    }

    func put(_ value: Data, at key: String) async throws {
        let revision = try await send(EtcdRange(key: EtcdBytes(key))).kvs?.first?.modRevision ?? 0
        let key = EtcdBytes(key)
        _ = try await send(
            EtcdTransaction(
                if: [.written(key, at: revision)],
                [.put(EtcdBytes(value), at: key)],
                otherwiseReading: [key]
            )
        )
    }

    func delete(_ key: String) async throws {
        _ = try await send(EtcdTransaction(if: [], [.delete(EtcdBytes(key))], otherwiseReading: []))
    }
}
