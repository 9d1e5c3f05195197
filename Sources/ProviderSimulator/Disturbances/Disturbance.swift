/// The disturbance that one request meets with instead of being answered as it should.
package enum Disturbance: Sendable {
    case answer(SimulatedAnswer)
    /// No answer, and the connection stays open until the client gives up.
    case silence
    /// The connection is closed without an answer.
    case close
    /// These bytes go through TLS in place of a response, and the connection is closed.
    case bytes([UInt8])
    /// The right answer, once the gate is open.
    case hold(ProviderGate)
}
