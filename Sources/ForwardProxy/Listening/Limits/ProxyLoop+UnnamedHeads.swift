extension ProxyLoop {
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
