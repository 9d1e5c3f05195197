package import NIOCore

/// A listening socket that this process was started with.
package struct InheritedSocket: Equatable, Sendable {
    package let descriptor: CInt
    /// The name that it was passed by; nil: none.
    package let name: String?
    /// The address that it is bound to.
    package let address: SocketAddress

    package init(descriptor: CInt, name: String?, address: SocketAddress) {
        self.descriptor = descriptor
        self.name = name
        self.address = address
    }

    /// Returns whether it listens where an address of the configuration says. Asks the resolver where that is a name,
    /// as a listener of the process's own would.
    /// - Parameter isNamed: Whether it was passed by the listener's name: nothing else says which of several listeners
    ///   of any free port is meant.
    func listens(at configured: ListenAddress, isNamed: Bool) -> Bool {
        if configured.path != nil { return address.pathname == configured.path }
        guard let text = address.ipAddress, let port = address.port,
            port == configured.port || configured.port == 0 && isNamed
        else { return false }
        if configured.host == "localhost" { return ListenAddress(host: text, port: port).isLoopback }
        let resolved = try? SocketAddress.makeAddressResolvingHost(configured.host, port: port)
        return resolved?.ipAddress == text
    }
}

extension InheritedSocket: CustomStringConvertible {
    package var description: String {
        let bound =
            address.pathname.map { ListenAddress(path: $0) }
            ?? ListenAddress(host: address.ipAddress ?? "\(address)", port: address.port ?? 0)
        return "file descriptor \(descriptor)\(name.map { " named \($0)" } ?? ""), which is bound to \(bound)"
    }
}
