import Bytes
import Files
import Glibc
package import NIOCore
import Routing
import Settings

/// Finds out which user a connection comes from, where it comes from this machine.
///
/// Loopback is everybody's: whoever can log in can connect. The kernel lists its sockets with their users in
/// `/proc/net/tcp` and `/proc/net/tcp6` (proc(5)); the client's own end of a connection is there, seen from its side.
package enum SocketOwner {
    /// Returns whether a connection is to be served as far as that depends on whose it is.
    static func admits(_ channel: any Channel, _ settings: ProxySettings) -> Bool {
        guard settings.admitsOwnUserOnly else { return true }
        guard let client = channel.remoteAddress, let server = channel.localAddress else { return false }
        return isOwnUser(client: client, server: server)
    }

    /// Returns whether the client's socket was made by this process's user, or by root, who can do anything anyway.
    /// - Parameters:
    ///   - client: The connection's address at its far end; `server` the one at this end.
    /// - Returns: False also when that cannot be found out.
    @Sendable package static func isOwnUser(client: SocketAddress, server: SocketAddress) -> Bool {
        guard let client = endpoint(client), let server = endpoint(server) else { return false }
        let own = geteuid()
        for table in ListedSocket.tables {
            if let user = user(of: client, to: server, in: table) { return user == own || user == 0 }
        }
        return false
    }

    /// Indicates whether the kernel's tables can be read at all: otherwise ``ProxySettings/admitsOwnUserOnly`` admits
    /// nobody. The beginning is enough: a whole table takes the kernel 20 ms.
    package static var isKnown: Bool { (try? FileContents.readBeginning(of: "/proc/net/tcp"))?.isEmpty == false }

    /// Addresses as the kernel writes them: each four bytes as one hexadecimal number of this machine's order. An IPv4
    /// address is also seen as an IPv6 one, for a socket may be for both.
    struct Endpoint: Equatable {
        let spellings: [String]
    }

    /// - Returns: The user of the socket that has these two ends and is still open in its process: what a process has
    ///   closed is listed as root's.
    static func user(of client: Endpoint, to server: Endpoint, in table: String) -> UInt32? {
        ListedSocket.all(in: table).first { socket in
            socket.isOpen && client.spellings.contains { $0 == socket.local }
                && server.spellings.contains { $0 == socket.remote }
        }?.user
    }

    static func endpoint(_ address: SocketAddress) -> Endpoint? {
        guard let port = address.port, let text = address.ipAddress,
            let parsed = IPAddress(String(text.prefix { $0 != "%" }))
        else { return nil }
        let spellings: [[UInt32]] =
            switch parsed.unmapped {
            case .v4(let word): [[word], [0, 0, 0xFFFF, word]]
            case .v6(let high, let low): [[high, low].flatMap { [UInt32($0 >> 32), UInt32(truncatingIfNeeded: $0)] }]
            }
        let number = Hexadecimal.encode(UInt16(truncatingIfNeeded: port), uppercase: true)
        return Endpoint(
            spellings: spellings.map { words in
                // From the network's order to this machine's.
                words.map { Hexadecimal.encode(UInt32(bigEndian: $0), uppercase: true) }.joined() + ":\(number)"
            }
        )
    }
}
