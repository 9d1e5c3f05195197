/// A parameter of the protocol that the two sides do not send alike.
package struct ParameterDifference: Equatable, Sendable {
    package let name: String
    /// Not encoded; nil when it is not sent.
    package let ours: String?
    package let theirs: String?

    /// Those of the other side's first, in its order.
    static func all(ours: [ProtocolParameter], theirs: [ProtocolParameter]) -> [ParameterDifference] {
        func value(of name: String, in parameters: [ProtocolParameter]) -> String? {
            parameters.first { $0.name == name }?.value
        }
        var names: Set<String> = []
        return (theirs + ours).map(\.name).filter { names.insert($0).inserted }.compactMap { name in
            let (one, other) = (value(of: name, in: ours), value(of: name, in: theirs))
            return one == other ? nil : ParameterDifference(name: name, ours: one, theirs: other)
        }
    }
}
