/// Work on many records, told of while it goes on.
///
/// - Parameters:
///   - done: The number of records that were gone through so far.
///   - total: The number of records that there are, as far as is known.
package typealias VaultProgress = (_ done: Int, _ total: Int) -> Void
