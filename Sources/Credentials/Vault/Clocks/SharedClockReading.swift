/// A record of an API's clock as it was read, and what a transaction has to compare that replaces it.
package struct SharedClockReading: Sendable, Equatable {
    /// The record; nil when there is none, or none that can be opened.
    package var record: SharedClockRecord?
    /// The store's revision at which the record was written; 0: there is none.
    package var revision: Int64
    /// The store's revision when it was read: whatever has a later one was written after that.
    package var storeRevision: Int64
    /// The store's revision at which the record's key was made.
    package var creation: Int64
    /// The number of times that the key was written since.
    package var writes: Int64

    package init(
        record: SharedClockRecord? = nil,
        revision: Int64 = 0,
        storeRevision: Int64,
        creation: Int64 = 0,
        writes: Int64 = 0
    ) {
        self.record = record
        self.revision = revision
        self.storeRevision = storeRevision
        self.creation = creation
        self.writes = writes
    }

    /// The revision of the announcement that the record is, or follows.
    package var announcement: Int64 { record?.announcement ?? revision }
}
