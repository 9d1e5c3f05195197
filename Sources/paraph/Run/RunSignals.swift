import UnixSignals

/// The signals that `paraph run` acts on, by what they ask for.
struct RunSignals: Sendable {
    let reload: UnixSignalsSequence
    let end: UnixSignalsSequence
    /// Ask for the log's file to be opened anew.
    let log: UnixSignalsSequence
}
