import Settings

/// The things that the process was given by whatever started it.
struct ProcessInheritance: Sendable {
    /// The environment as it was then: what secrets were read from is in it.
    let environment: [String: String]
    let service: ServiceEnvironment
    let sockets: InheritedSockets
}
