package import Credentials
import FoundationEssentials
import Synchronization

// MARK: - The clocks of providers

extension EtcdVault: SharedClocks {
    package var sharedClocks: (any SharedClocks)? { self }

    package func clockChanges(of api: String) async throws(VaultError) -> AsyncStream<Void> {
        let label = try await keys().clock(ofAPI: api)
        return keyChanges.changes(of: [label])
    }

    package func clock(of api: String) async throws(VaultError) -> SharedClockReading {
        let label = try await keys().clock(ofAPI: api)
        let answer = try await send(EtcdRange(key: EtcdBytes(label)))
        let storeRevision = answer.header.revision?.value ?? 0
        guard let pair = answer.kvs?.first else { return SharedClockReading(storeRevision: storeRevision) }
        let record = try await clock(in: pair, as: label)
        return SharedClockReading(
            record: record,
            revision: pair.modRevision?.value ?? 0,
            storeRevision: storeRevision,
            creation: pair.createRevision?.value ?? 0,
            writes: pair.version?.value ?? 0
        )
    }

    package func write(
        _ record: SharedClockRecord,
        of api: String,
        inPlaceOf reading: SharedClockReading
    ) async throws(VaultError) -> Int64? {
        let label = try await keys().clock(ofAPI: api)
        let key = EtcdBytes(label)
        let known = sealingKeys.withLock { $0 }
        let bytes: EtcdBytes
        do throws(RecordFault) {
            let pair = EtcdKeyValue(replacing: reading, at: key)
            bytes = EtcdBytes(try SealedRecord.seal(record.contents, under: known.keys, as: label, inPlaceOf: pair))
        } catch {
            throw .recordUnusable(record: label, error)
        }
        let result = try await send(
            EtcdTransaction(
                if: [
                    .written(key, at: EtcdNumber(reading.revision)), .created(key, at: EtcdNumber(reading.creation)),
                    known.areCurrent(prefix: prefix),
                ],
                [.put(bytes, at: key)],
                otherwiseReading: [key, EtcdBytes(RecordKeys.nextSealingKey(prefix: prefix))]
            )
        )
        if result.isCarriedOut { return result.header.revision?.value }
        // The answer to the same request, made of another server before, may have been lost.
        if let found = result.found.first ?? nil, found.value == bytes { return found.modRevision?.value }
        if (result.found.last ?? nil)?.modRevision != known.next?.modRevision { try await followSealingKeys() }
        return nil
    }

    /// Removes the records of clocks that are not of the newest key. Whoever knows a clock's time writes it anew.
    func removeClocksOfOldKey() async throws(VaultError) {
        let sealing = sealingKeys.withLock { $0.keys.sealing.identifier }
        var range = EtcdRange(key: EtcdBytes(RecordKeys.clocks(prefix: prefix)))
        range.rangeEnd = EtcdBytes(Self.end(ofPrefix: range.key.data))
        for pair in try await send(range).kvs ?? [] {
            let record = try? SealedRecord(pair.value?.data ?? Data())
            guard record?.keyIdentifier != sealing else { continue }
            // What is written meanwhile is of the new key.
            _ = try await send(
                EtcdTransaction(
                    if: [.written(pair.key, at: pair.modRevision ?? 0)],
                    [.delete(pair.key)],
                    otherwiseReading: []
                )
            )
        }
    }

    /// - Returns: Nil when it cannot be opened: it is replaced by what is written next.
    private func clock(in pair: EtcdKeyValue, as label: String) async throws(VaultError) -> SharedClockRecord? {
        var keys = sealingKeys.withLock { $0.keys }
        if let record = try? SealedRecord(pair.value?.data ?? Data()), keys.key(record.keyIdentifier) == nil {
            keys = try await followSealingKeys().known.keys
        }
        do throws(RecordFault) {
            let contents = try SealedRecord(pair.value?.data ?? Data()).open(under: keys, as: label, of: pair)
            return try SharedClockRecord(contents: contents)
        } catch {
            return nil
        }
    }
}

extension EtcdKeyValue {
    /// The key as it was when it was read, without its value; nil where nothing was read.
    fileprivate init?(replacing reading: SharedClockReading, at key: EtcdBytes) {
        guard reading.revision != 0 else { return nil }
        self.init(
            key: key,
            value: nil,
            createRevision: EtcdNumber(reading.creation),
            modRevision: EtcdNumber(reading.revision),
            version: EtcdNumber(reading.writes)
        )
    }
}
