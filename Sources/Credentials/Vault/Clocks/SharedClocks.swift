/// A store through which replicas tell each other the time of a provider whose clock is another than theirs.
///
/// Each replica's own clock may be wrong by another amount, so no offset is stored but the provider's time, and only
/// whoever has just asked for it may go by it. There is one record for each API, which is written by a transaction that
/// compares: whoever announces that the provider's time was learnt replaces it, so does whoever asks, and whoever
/// answers.
package protocol SharedClocks: AnyObject, Sendable {
    /// Returns the changes of an API's record that are told from now on, while the store's credentials are watched.
    /// Several at once are one.
    func clockChanges(of api: String) async throws(VaultError) -> AsyncStream<Void>

    /// Reads an API's record: all that was written before the call is seen.
    func clock(of api: String) async throws(VaultError) -> SharedClockReading

    /// Writes an API's record, if that is still as it was read.
    /// - Returns: The revision at which it was written; nil when somebody else was quicker.
    func write(
        _ record: SharedClockRecord,
        of api: String,
        inPlaceOf reading: SharedClockReading
    ) async throws(VaultError) -> Int64?
}
