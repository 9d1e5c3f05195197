/// The knowledge of a replica that etcd was restored from a backup while replicas served.
///
/// etcd's revision only rises, unless a backup takes the place of what there was. Whoever notices that leaves a note in
/// etcd, so that all others go by the same revision, also those that start later.
struct EtcdRestoration: Sendable {
    /// The moment before a request, with which its answer is compared.
    struct Mark: Sendable {
        fileprivate let newest: Int64
        fileprivate let count: Int
    }

    /// The newest of etcd's revisions that were seen since it was restored.
    private var newest: Int64 = 0
    /// The number of times that it was restored, as far as was noticed here.
    private var count = 0
    /// The notes that were seen: one that is in a backup says nothing of that backup's restoration.
    private var knownNotes: Set<String> = []
    /// The revision up to which what etcd has may be from a backup; 0: it was not restored, as far as is known.
    private(set) var revision: Int64 = 0
    /// The revisions between which all was lost, until they have been told.
    private var untold: (from: Int64, to: Int64)?

    var mark: Mark { Mark(newest: newest, count: count) }

    /// etcd has a revision, by the answer to a request.
    mutating func saw(_ revision: Int64, since mark: Mark) {
        // An answer from before the restoration says nothing any more.
        if count == mark.count { newest = max(newest, revision) }
    }

    /// etcd has a note, and a revision, by the answer to a request.
    /// - Returns: Whether it was restored, and nobody has left a note yet.
    mutating func follow(_ note: String?, _ revision: Int64, since mark: Mark) -> Bool {
        let isBack = count == mark.count && revision < mark.newest
        if let note, let noted = Self.revision(of: note), knownNotes.insert(note).inserted {
            self.revision = noted
            if isBack { restored(to: revision) }
            return false
        }
        if !isBack { saw(revision, since: mark) }
        return isBack
    }

    /// etcd had a note when this replica began.
    mutating func adopt(_ note: String) {
        if let noted = Self.revision(of: note), knownNotes.insert(note).inserted { revision = noted }
    }

    /// A note of this replica's is there.
    mutating func left(_ note: String, _ revision: Int64, since mark: Mark) {
        knownNotes.insert(note)
        self.revision = revision
        if count == mark.count { restored(to: revision) }
    }

    /// Returns the revisions between which all was lost, if that has not been told yet.
    mutating func takeUntold() -> (from: Int64, to: Int64)? { untold.take() }

    /// Returns a note that no other is like.
    static func note(upTo revision: Int64) -> String { "\(revision) \(UInt64.random(in: .min ... .max))" }

    private static func revision(of note: String) -> Int64? { note.split(separator: " ").first.flatMap { Int64($0) } }

    private mutating func restored(to revision: Int64) {
        untold = (newest, revision)
        newest = revision
        count += 1
    }
}
