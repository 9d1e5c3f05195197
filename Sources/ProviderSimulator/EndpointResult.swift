/// The outcome of a request, for the ledger, and the answer to it.
struct EndpointResult {
    let outcome: ProviderEvent.Outcome
    let answer: SimulatedAnswer
}
