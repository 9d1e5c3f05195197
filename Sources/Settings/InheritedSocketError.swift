/// An inherited socket that no listener of the configuration is for.
package struct InheritedSocketError: Error, Equatable {
    let socket: InheritedSocket
    /// The listeners that it could have been for: those of its name, or all.
    let candidates: [InheritedSockets.Listener]
    /// The descriptor of the socket that its listener has already; nil: it has no listener.
    var alreadyHas: CInt?
}

extension InheritedSocketError: CustomStringConvertible {
    /// A sentence, and what to do.
    package var description: String {
        if let alreadyHas {
            return "\(socket), is for the same listener as file descriptor \(alreadyHas): pass each socket once"
        }
        let list = candidates.map { "\($0.name) at \($0.address)" }.joined(separator: ", ")
        return "\(socket), is for none of the configured listeners (\(list)): have ListenStream= of the socket unit "
            + "and the configuration name the same addresses"
    }
}
