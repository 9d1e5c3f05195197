import Synchronization

/// The listening sockets that this process was started with, each for a listener of the configuration.
package final class InheritedSockets: Sendable {
    /// A listener of the configuration.
    package struct Listener: Equatable, Sendable {
        /// `proxy`, `admin`, or the name of the API whose gateway it is.
        package let name: String
        package let address: ListenAddress

        package init(name: String, address: ListenAddress) {
            self.name = name
            self.address = address
        }
    }

    /// No socket: every listener is bound by this process.
    package static let none = InheritedSockets()

    private let sockets: [InheritedSocket]
    private let untaken: Mutex<[(listener: Listener, descriptor: CInt)]>

    private init() {
        sockets = []
        untaken = Mutex([])
    }

    /// - Parameter listeners: The listeners of the configuration, in the order in which they are listened on.
    package init(_ sockets: [InheritedSocket], for listeners: [Listener]) throws(InheritedSocketError) {
        self.sockets = sockets
        untaken = Mutex(try InheritedSockets.match(sockets, listeners))
    }

    /// Checks that another configuration has a listener for each of the sockets, too: whoever connected to one that it
    /// has none for would wait for ever.
    package func check(_ listeners: [Listener]) throws(InheritedSocketError) {
        _ = try Self.match(sockets, listeners)
    }

    /// Returns the socket of a listener, which is the caller's from now on; nil: it has none.
    package func take(for listener: Listener) -> CInt? {
        untaken.withLock { untaken in
            // Gateways may share an address, and so a socket.
            let index = untaken.firstIndex {
                $0.listener.address == listener.address
                    && (listener.address.port != 0 || listener.address.path != nil || $0.listener.name == listener.name)
            }
            return index.map { untaken.remove(at: $0).descriptor }
        }
    }

    private static func match(
        _ sockets: [InheritedSocket],
        _ listeners: [Listener]
    ) throws(InheritedSocketError) -> [(listener: Listener, descriptor: CInt)] {
        var matches: [(listener: Listener, descriptor: CInt)] = []
        for socket in sockets {
            let named = listeners.filter { $0.name == socket.name }
            let candidates = named.isEmpty ? listeners : named
            let found = candidates.first { socket.listens(at: $0.address, isNamed: !named.isEmpty) }
            guard let found else { throw InheritedSocketError(socket: socket, candidates: candidates) }
            if let other = matches.first(where: { $0.listener == found }) {
                throw InheritedSocketError(socket: socket, candidates: candidates, alreadyHas: other.descriptor)
            }
            matches.append((found, socket.descriptor))
        }
        return matches
    }
}
