import Credentials
import FoundationEssentials

/// Copies the credentials of one store into another, and changes nothing of the first.
///
/// Each is copied by itself, and has arrived when it was loaded again and is the same. So whatever ends the copying, it
/// can be begun anew: what has arrived is passed over.
struct CredentialCopying: Sendable {
    /// The number of credentials that are under way at once.
    private static let width = 16

    let source: any CredentialStore
    let destination: any CredentialStore
    /// Indicates whether a different one gives way.
    let replaces: Bool

    /// Copies all.
    ///
    /// - Parameters:
    ///   - progress: The function that is told of the credentials that were gone through.
    ///   - tell: Called for each credential of which the outcome is known, in the order of API and account.
    /// - Returns: One error for each credential of the source that does not even tell its name.
    /// - Throws: When one of the stores is of no use as a whole.
    func copyAll(
        progress: VaultProgress = { _, _ in },
        _ tell: (CredentialName, CopyOutcome) -> Void
    ) async throws(VaultError) -> [VaultError] {
        try await source.check()
        try await destination.check()
        let listing = try await source.listing()
        var rest = listing.names[...]
        while !rest.isEmpty {
            progress(listing.names.count - rest.count, listing.names.count)
            let names = rest.prefix(Self.width)
            rest = rest.dropFirst(Self.width)
            let results = await results(of: names)
            for (name, result) in zip(names, results) {
                if case .success(let outcome) = result { tell(name, outcome) }
            }
            for result in results { _ = try result.get() }
        }
        return listing.errors
    }

    private func results(of names: ArraySlice<CredentialName>) async -> [Result<CopyOutcome, VaultError>] {
        await withTaskGroup(of: (Int, Result<CopyOutcome, VaultError>).self) { group in
            for (index, name) in names.enumerated() {
                group.addTask { (index, await result(of: name)) }
            }
            var results: [(Int, Result<CopyOutcome, VaultError>)] = []
            for await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Returns the outcome of copying one credential. A function by itself, as Swift 6.3.1's optimizer loses the index
    /// in `(index, .success(try await copy(name)))`.
    private func result(of name: CredentialName) async -> Result<CopyOutcome, VaultError> {
        do throws(VaultError) {
            return .success(try await copy(name))
        } catch {
            return .failure(error)
        }
    }

    // MARK: One credential

    /// The credential that a store has.
    private enum Found: Sendable {
        case nothing
        case credential(StoredCredential)
        case unreadable(VaultError)

        /// Returns whether this, too, is what is there.
        /// - Parameter stored: The credential that ``CredentialStore/change(_:_:)`` tells.
        func isStill(_ stored: StoredCredential?) -> Bool {
            switch (self, stored) {
            case (.credential(let found), let stored?): found.hasSameBytes(as: stored)
            case (.nothing, nil), (.unreadable, nil): true
            case (.credential, nil), (.nothing, _?), (.unreadable, _?): false
            }
        }
    }

    /// - Throws: When one of the stores is of no use as a whole.
    private func copy(_ name: CredentialName) async throws(VaultError) -> CopyOutcome {
        let credential: StoredCredential
        switch try await find(name, in: source) {
        case .nothing: return .removed
        case .unreadable(let error): return .unreadable(error)
        case .credential(let found): credential = found
        }
        let found = try await find(name, in: destination)
        switch found {
        case .nothing: break
        case .credential(let other):
            if other.hasSameBytes(as: credential) { return .present }
            guard replaces else { return .different(ours: credential.obtainedAt, theirs: other.obtainedAt) }
        case .unreadable(let error):
            guard replaces else { return .occupied(error) }
        }
        do throws(VaultError) {
            let isStored = try await destination.change(name) { stored in
                found.isStill(stored) ? .store(credential) : .keep
            }
            guard isStored else { return .changed }
        } catch {
            guard error.concernsOneCredential else { throw error }
            return .refused(error)
        }
        switch try await find(name, in: destination) {
        case .credential(let arrived) where arrived.hasSameBytes(as: credential):
            return if case .nothing = found { .copied } else { .replaced }
        case .credential, .nothing: return .changed
        case .unreadable(let error): return .refused(error)
        }
    }

    private func find(_ name: CredentialName, in store: any CredentialStore) async throws(VaultError) -> Found {
        do throws(VaultError) {
            return try await store.load(name).map { .credential($0) } ?? .nothing
        } catch {
            guard error.concernsOneCredential else { throw error }
            return .unreadable(error)
        }
    }
}

extension StoredCredential {
    /// Returns whether all of it is the same, byte for byte: texts are equal, too, that are spelt with other scalars.
    fileprivate func hasSameBytes(as other: StoredCredential) -> Bool {
        var (one, two) = (encoded(), other.encoded())
        defer {
            one.wipe()
            two.wipe()
        }
        return one == two
    }
}

extension VaultError {
    /// Indicates whether others of the same store may be of use.
    fileprivate var concernsOneCredential: Bool {
        switch self {
        case .fileUnreadable, .notAFile, .oversized, .notSealed, .unknownVersion, .truncated, .damaged, .otherKey,
            .otherCredential, .nameTooLong, .credentialTooLarge, .recordUnusable:
            true
        default: false
        }
    }
}
