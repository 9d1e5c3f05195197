import Bytes
package import NIOCore
import NIOPosix
import Routing
import Synchronization

/// The addresses that this process listens on, to which the proxy connects nobody: who comes from this machine may do
/// there what a client of the proxy may not, and through the proxy everybody would come from this machine.
package final class OwnListeners: Sendable {
    private struct Listener {
        let address: IPAddress
        let port: Int
    }

    private let open = Mutex<[ObjectIdentifier: Listener]>([:])

    package init() {}

    /// Counts a listener for as long as it is open.
    package func add(_ listener: any Channel) {
        guard let bound = listener.localAddress, let port = bound.port, let address = IPAddress(bound) else { return }
        let id = ObjectIdentifier(listener)
        open.withLock { $0[id] = Listener(address: address.unmapped, port: port) }
        listener.closeFuture.whenComplete { _ in self.open.withLock { $0[id] = nil } }
    }

    /// Returns whether a connection to the address would end at one of them.
    func includes(_ destination: SocketAddress) -> Bool {
        let listeners = open.withLock { open in open.values.filter { $0.port == destination.port } }
        guard !listeners.isEmpty, let address = IPAddress(destination) else { return false }
        let addresses = address.reachableAddresses.map(\.unmapped)
        return listeners.contains { listener in
            if addresses.contains(listener.address) { return true }
            return listener.address.isUnspecified && addresses.contains { $0.isLoopback || Self.isOfThisMachine($0) }
        }
    }

    private static func isOfThisMachine(_ address: IPAddress) -> Bool {
        let devices = (try? System.enumerateDevices()) ?? []
        return devices.contains { $0.address.flatMap { IPAddress($0) }?.unmapped == address }
    }
}
