import NIOCore

/// The seconds that pass, for a connection that has no clock of its own.
struct SecondsCounter {
    private var counted: NIODeadline

    init(since start: NIODeadline) {
        counted = start
    }

    /// Returns the number of seconds passed that were not counted before; 0 for a time that has been counted already.
    mutating func passed(until now: NIODeadline) -> Int {
        let seconds = max(0, (now - counted).nanoseconds / 1_000_000_000)
        counted = counted + .seconds(seconds)
        return Int(seconds)
    }
}
