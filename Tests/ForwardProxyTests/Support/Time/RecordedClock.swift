import Credentials

/// The record of an API's clock in a store, and the store's revision.
struct RecordedClock: Sendable {
    private(set) var storeRevision: Int64 = 10
    private(set) var record: SharedClockRecord?
    private(set) var revision: Int64 = 0
    private(set) var writes: Int64 = 0

    func read() -> SharedClockReading {
        SharedClockReading(record: record, revision: revision, storeRevision: storeRevision, writes: writes)
    }

    /// - Returns: Nil when it is not as it was read any more.
    mutating func write(_ record: SharedClockRecord, inPlaceOf reading: SharedClockReading) -> Int64? {
        guard reading.revision == revision else { return nil }
        storeRevision += 1
        self.record = record
        revision = storeRevision
        writes += 1
        return revision
    }

    mutating func remove() {
        storeRevision += 1
        (record, revision, writes) = (nil, 0, 0)
    }
}
