extension ProxyLoop {
    /// Has a client that holds too much memory give some of it back: first what holds the most.
    ///
    /// - Parameter most: Bytes that it may keep.
    func reclaimMemory(of client: ClientUsage, above most: Int) {
        let held = clients.flatMap { $0.heldMemory(of: client) }.sorted { $0.bytes > $1.bytes }
        for one in held {
            guard client.memory.held > most else { return }
            one.giveBack()
        }
    }

    /// Ends a head that nobody is named for, so that another one of them finds room.
    ///
    /// - Returns: Whether there was one.
    func endUnnamedHead(for newcomer: ClientHandler) -> Bool {
        while let oldest = unnamedHeads.takeOldest(for: ObjectIdentifier(newcomer), at: newcomer.peer) {
            guard let client = clients[oldest] as? ClientHandler, client.mayGiveInputBack else { continue }
            client.giveInputBack()
            return true
        }
        return false
    }
}
