import Bytes
package import FoundationEssentials

/// The store of credentials, and what is told of one that replicas share.
package struct StoreStatus: Equatable, Sendable, Decodable {
    package enum Kind: String, Sendable, Decodable {
        case directory
        case etcd
    }

    package enum Key: String, Sendable, Decodable {
        /// The one key that there is.
        case current
        /// The new one, while the vault is re-keyed.
        case new
        /// The old one, while the vault is re-keyed.
        case old
        /// One that opens nothing any more, since the vault was re-keyed.
        case dead
    }

    package var kind: Kind
    /// The directory, or the place in etcd.
    package var name: String
    /// Indicates whether it can be read, as far as that concerns the store as a whole.
    package var reachable: Bool
    /// The reason why it cannot; nil: it can.
    package var reason: String?

    // What follows is told of etcd alone.

    /// The one of the vault's keys that the configuration has; nil when that is not known.
    package var key: Key?
    /// The number of records, those of removed accounts among them.
    package var records: Int?
    /// etcd's newest revision.
    package var revision: Int?
    /// The last revision whose changes the proxy has seen; nil: it is not known what has changed.
    package var seenRevision: Int?
    /// The number of revisions that may have changes which the proxy has not seen; nil: it is not known.
    package var lagRevisions: Int?
    /// The time for which changes have not been seen; nil: it is not known.
    package var lagSeconds: Int?
    /// The time since when changes are not seen; nil: they are.
    package var interruptedSince: Date?
    package var interruption: String?
    /// The turns at exchanging that replicas have now, this one and others; the first few.
    package var turns: [TurnStatus]
    package var turnsLeftOut: Int

    package init(
        kind: Kind,
        name: String,
        reason: String? = nil,
        key: Key? = nil,
        records: Int? = nil,
        revision: Int? = nil,
        seenRevision: Int? = nil,
        lagRevisions: Int? = nil,
        lagSeconds: Int? = nil,
        interruptedSince: Date? = nil,
        interruption: String? = nil,
        turns: [TurnStatus] = [],
        turnsLeftOut: Int = 0
    ) {
        self.kind = kind
        self.name = name
        reachable = reason == nil
        self.reason = reason
        self.key = key
        self.records = records
        self.revision = revision
        self.seenRevision = seenRevision
        self.lagRevisions = lagRevisions
        self.lagSeconds = lagSeconds
        self.interruptedSince = interruptedSince
        self.interruption = interruption
        self.turns = turns
        self.turnsLeftOut = turnsLeftOut
    }

    var json: JSONText {
        func number(_ value: Int?) -> JSONText { value.map(JSONText.integer) ?? .null }
        return .object([
            ("kind", .string(kind.rawValue)),
            ("name", .string(name)),
            ("reachable", .boolean(reachable)),
            ("reason", .string(reason)),
            ("key", .string(key?.rawValue)),
            ("records", number(records)),
            ("revision", number(revision)),
            ("seen_revision", number(seenRevision)),
            ("lag_revisions", number(lagRevisions)),
            ("lag_seconds", number(lagSeconds)),
            ("interrupted_since", .time(interruptedSince)),
            ("interruption", .string(interruption)),
            ("turns", .array(turns.map(\.json))),
            ("turns_left_out", .integer(turnsLeftOut)),
        ])
    }
}
