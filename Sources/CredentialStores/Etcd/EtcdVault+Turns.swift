package import Credentials
import FoundationEssentials
import Synchronization

// MARK: - Turns at exchanging

extension EtcdVault {
    /// The time after which those who wait look again, told of nothing: a watch may be interrupted.
    private static let waitPeriod = Duration.milliseconds(500)
    /// The time after which a lease is prolonged again that could not be.
    private static let keepAlivePause = Duration.milliseconds(200)

    package func withTurn<Value: Sendable>(
        for name: CredentialName,
        unless isSpared: @escaping @Sendable (StoredCredential, _ isNew: Bool) -> Bool,
        _ body: @escaping @Sendable (any ExchangeTurn) async -> Value
    ) async throws(VaultError) -> TurnOutcome<Value> {
        let keys = try await keys()
        let record = keys.credential(name)
        let turnKey = keys.exchange(name)
        var wait = TurnWait()
        while true {
            let changes = keyChanges.changes(of: [record, turnKey])
            let seen = try await send(
                EtcdTransaction(if: [], [], reading: [EtcdBytes(record), EtcdBytes(turnKey)], otherwiseReading: [])
            )
            let stored = try await open(seen.found.first ?? nil, as: record, of: name, keys)
            if let spared: TurnOutcome<Value> = wait.spared(by: stored, isSpared) { return spared }
            if (seen.found.last ?? nil) == nil, let turn = try await take(turnKey, record, of: name, keys) {
                // What the one before has stored.
                guard let spared: TurnOutcome<Value> = wait.spared(by: turn.stored, isSpared) else {
                    return .taken(await run(turn, body))
                }
                await giveUp(turn)
                return spared
            }
            await withTaskGroup { group in
                group.addTask { for await _ in changes { return } }
                group.addTask { try? await Task.sleep(for: Self.waitPeriod) }
                await group.next()
                group.cancelAll()
            }
            guard !Task.isCancelled else { throw .turnLost(name) }
        }
    }

    /// - Returns: Nil when somebody else was quicker.
    private func take(
        _ turnKey: String,
        _ record: String,
        of name: CredentialName,
        _ keys: RecordKeys
    ) async throws(VaultError) -> EtcdTurn? {
        let begin = ContinuousClock().now
        let id = try await send(EtcdLease.Grant(ttl: EtcdNumber(lease.components.seconds))).id
        let key = EtcdBytes(turnKey)
        // What tells whether it was this call that made the key, where the first answer was lost.
        let mark = EtcdBytes("\(holder) \(id.value)")
        let reading = [EtcdBytes(record), key, EtcdBytes(RecordKeys.restoration(prefix: prefix))]
        let before = restoration.withLock { $0.mark }
        do throws(VaultError) {
            let result = try await sendHeld(
                EtcdTransaction(
                    if: [.created(key, at: 0)],
                    [.put(mark, at: key, lease: id)],
                    reading: reading,
                    otherwiseReading: reading
                )
            )
            // It is this process that has stood still for so long.
            guard let result else { return nil }
            guard result.found.count == reading.count else {
                throw .etcdUnavailable(etcd: client.label, reason: "an answer that is not etcd's")
            }
            try await followRestoration(result.header.revision?.value ?? 0, result.found[2], since: before)
            if let own = result.found[1], own.value == mark, let createRevision = own.createRevision {
                let stored = try await open(result.found[0], as: record, of: name, keys)
                return EtcdTurn(
                    of: name,
                    stored: stored,
                    key: key,
                    createRevision: createRevision,
                    lease: id,
                    lastsUntil: begin + lease,
                    in: self
                )
            }
        } catch {
            await revoke(id)
            throw error
        }
        await revoke(id)
        return nil
    }

    /// - Returns: Nil when the lease that it names has ended meanwhile.
    private func sendHeld(
        _ transaction: EtcdTransaction
    ) async throws(VaultError) -> EtcdTransaction.Response? {
        do throws(EtcdFailure) {
            return try await client.send(transaction, isUrgent: true)
        } catch {
            guard error != .leaseOver else { return nil }
            throw VaultError(error, etcd: client.label)
        }
    }

    private func run<Value: Sendable>(
        _ turn: EtcdTurn,
        _ body: @escaping @Sendable (any ExchangeTurn) async -> Value
    ) async -> Value {
        let exchange = Task { await body(turn) }
        let value = await withTaskCancellationHandler {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.keepAlive(turn) }
                group.addTask { await self.limit(turn, exchange) }
                let value = await exchange.value
                group.cancelAll()
                return value
            }
        } onCancel: {
            exchange.cancel()
        }
        await giveUp(turn)
        return value
    }

    /// Cancels an exchange when it has taken its time, or its turn is over.
    private func limit<Value: Sendable>(_ turn: EtcdTurn, _ exchange: Task<Value, Never>) async {
        let clock = ContinuousClock()
        let limit = clock.now + exchangeLimit
        while turn.end == nil {
            guard (try? await clock.sleep(until: min(limit, turn.lastsUntil))) != nil else { return }
            if turn.end == nil, clock.now >= limit { turn.finish(.timedOut(limit: exchangeLimit)) }
        }
        exchange.cancel()
    }

    /// Prolongs a turn's lease at a third of its time, until that is not possible any more.
    private func keepAlive(_ turn: EtcdTurn) async {
        var pause = lease / 3
        while turn.end == nil, (try? await Task.sleep(for: pause)) != nil {
            let begin = ContinuousClock().now
            pause = Self.keepAlivePause
            guard let answer = try? await client.send(EtcdLease.Renewal(id: turn.lease), isUrgent: true) else {
                continue
            }
            guard answer.isAlive else { return turn.finish(.lost) }
            turn.prolong(until: begin + lease)
            pause = lease / 3
        }
    }

    private func giveUp(_ turn: EtcdTurn) async { await revoke(turn.lease) }

    /// Ends a lease, and with it its key alone. Where etcd is away it is told later, which nobody waits for: by itself
    /// the lease might last long, for servers that choose a leader have it last anew.
    private func revoke(_ id: EtcdNumber) async {
        // Also in a task that is cancelled.
        guard await Task(operation: { await self.isRevoked(id) }).value else { return retryRevoking(id) }
    }

    private func retryRevoking(_ id: EtcdNumber) {
        let clock = ContinuousClock()
        // Whoever is away for longer than that cannot keep a lease either.
        let limit = clock.now + lease * 4
        Task {
            while clock.now < limit, (try? await clock.sleep(for: Self.waitPeriod)) != nil {
                if await isRevoked(id) { return }
            }
        }
    }

    /// Returns whether etcd has ended a lease now, or has it no more.
    private func isRevoked(_ id: EtcdNumber) async -> Bool {
        do throws(EtcdFailure) {
            _ = try await client.send(EtcdLease.Revocation(id: id), isUrgent: true)
            return true
        } catch {
            switch error {
            case .refused, .leaseOver: return true
            case .unavailable: return false
            }
        }
    }
}
