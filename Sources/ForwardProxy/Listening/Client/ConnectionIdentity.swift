/// The client of a connection, as far as it is known, and whether its connection has a place.
struct ConnectionIdentity {
    /// The connection's place where clients are listed: it may still be one too many, or none too many, when it is
    /// known whose it is.
    let place: ClientPlace?
    /// The admission of a connection that came over the limit, where no clients are listed.
    private let ownAdmission: ConnectionCounter.Place?
    /// The reason why its requests are refused, where the connection is one too many.
    private(set) var overLimit: Shortage?
    /// The name that the last log-in has shown to be the client's own; nil: none has, or no clients are listed.
    private(set) var name: String?

    init(overLimit: Shortage?, place: ClientPlace?, admission: ConnectionCounter.Place?) {
        self.overLimit = overLimit
        self.place = place
        ownAdmission = admission
    }

    // MARK: Place

    /// The connection's admission, where it came over the limit.
    var admission: ConnectionCounter.Place? { place?.surplus ?? ownAdmission }

    var isPlaced: Bool { place?.isAdmitted ?? (overLimit == nil) }

    /// The place of a connection that nobody has been named for.
    var unnamedPlace: ClientPlace? {
        if let place, place.isUnnamed { place } else { nil }
    }

    /// Indicates whether nobody has been named for the connection, or it is one too many, where clients are listed.
    var isUnnamedOrOverLimit: Bool {
        if let place { place.isUnnamed || overLimit != nil } else { false }
    }

    /// Looks for a place that has become free since the connection came, where it has none.
    ///
    /// - Returns: Why there is none; nil: it has one.
    mutating func takeFreePlace(limit: Int) -> Shortage? {
        if let place, overLimit != nil { overLimit = place.takeFree(limit: limit) }
        return overLimit
    }

    /// - Parameter shortage: Why the connection has no place; nil: it has one.
    mutating func placeWasLookedFor(_ shortage: Shortage?) {
        overLimit = shortage
    }

    // MARK: Log-in

    /// Takes a client for who it has shown to be.
    ///
    /// - Parameter name: Nil where no clients are listed.
    /// - Returns: Whether it has logged in with that: the request before was not let in by the same name.
    mutating func letIn(as name: String?) -> Bool {
        guard let name, name != self.name else { return false }
        self.name = name
        return true
    }

    /// The client is not who it says it is.
    mutating func loginFailed(_ attempt: LoginAttempt) {
        // From now on its attempts are like those of any other connection.
        if attempt.name == name { name = nil }
    }
}
