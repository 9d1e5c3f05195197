package import Credentials
package import FoundationEssentials
import Synchronization

// MARK: - The local CA that replicas share

extension EtcdVault {
    /// The local CA that replicas share, as one of them has stored it; nil when none has. The caller wipes it.
    package func authority() async throws(VaultError) -> Data? {
        _ = try await keys()
        let label = RecordKeys.authority(prefix: prefix)
        guard let pair = try await read(label) else { return nil }
        return try await contents(of: pair, as: label)
    }

    /// Stores the local CA that replicas share.
    ///
    /// - Parameter expected: The one in whose place it is put; nil: there is none.
    /// - Returns: False when another one is there.
    package func storeAuthority(_ authority: Data, inPlaceOf expected: Data?) async throws(VaultError) -> Bool {
        _ = try await keys()
        let label = RecordKeys.authority(prefix: prefix)
        var pair = try await read(label)
        for _ in 0..<Self.attemptLimit {
            if let pair {
                var found = try await contents(of: pair, as: label)
                defer { found.wipe() }
                // The answer may have been lost that told so.
                if found == authority { return true }
                guard found == expected else { return false }
            } else if expected != nil {
                return false
            }
            let known = sealingKeys.withLock { $0 }
            let value: Data
            do throws(RecordFault) {
                value = try SealedRecord.seal(authority, under: known.keys, as: label, inPlaceOf: pair)
            } catch {
                throw .recordUnusable(record: label, error)
            }
            switch try await put(value, at: label, inPlaceOf: pair, in: nil, ifCurrent: known) {
            case .written: return true
            case .found(let other): pair = other
            }
        }
        throw .etcdRefused(etcd: client.label, reason: "others change \(label) all the time")
    }
}
