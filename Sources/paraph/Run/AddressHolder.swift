import Bytes
import Files
import Settings

/// The user or process that listens at an address of this machine already, as far as this process may see that.
struct AddressHolder: Equatable {
    let user: UInt32
    /// The process, by name and number; nil where it is not to be looked into.
    private(set) var process: (name: String, id: Int)?

    static func == (one: AddressHolder, other: AddressHolder) -> Bool {
        one.user == other.user && one.process?.id == other.process?.id && one.process?.name == other.process?.name
    }

    /// Looks through the kernel's tables of sockets and the open files of all processes (proc(5)). Blocks.
    /// - Returns: Nil where nobody listens there, or nothing can be seen of it.
    static func find(_ address: ListenAddress) -> AddressHolder? {
        address.path.map { find(path: $0) } ?? find(port: address.port)
    }

    private static func find(port: Int) -> AddressHolder? {
        for table in ListedSocket.tables {
            guard let socket = listeningSocket(ofPort: port, in: table) else { continue }
            return AddressHolder(user: socket.user, process: process(with: String(socket.inode)))
        }
        return nil
    }

    /// - Parameter table: The content of `/proc/net/tcp` or `/proc/net/tcp6`.
    static func listeningSocket(ofPort port: Int, in table: String) -> ListedSocket? {
        let ending = ":" + Hexadecimal.encode(UInt16(truncatingIfNeeded: port), uppercase: true)
        return ListedSocket.all(in: table).first { $0.isListening && $0.local.hasSuffix(ending) }
    }

    private static func find(path: String) -> AddressHolder? {
        // The table tells no users: the file is its maker's.
        guard let user = FileContents.rights(path)?.owner, let bytes = try? FileContents.read("/proc/net/unix") else {
            return nil
        }
        let sockets = listeningSockets(at: path, in: String(decoding: bytes, as: UTF8.self))
        let processes = sockets.compactMap { socket in
            process(with: socket.inode).flatMap { process in
                let folder = PathTrail.target(ofLink: "/proc/\(process.id)/cwd") ?? ""
                return socket.path == path || "\(folder)/\(socket.path)" == path ? process : nil
            }
        }
        // One that was removed and made again by somebody else may still be open.
        return AddressHolder(user: user, process: processes.count == 1 ? processes[0] : nil)
    }

    /// - Parameter table: The content of `/proc/net/unix`.
    /// - Returns: Those of the path, and of relative ones that may come to it; they are as bind(2) was given them.
    static func listeningSockets(at path: String, in table: String) -> [(path: String, inode: String)] {
        let listening = "00010000"
        return table.split(separator: "\n").dropFirst().compactMap { line in
            let columns = line.split(separator: " ", maxSplits: 7, omittingEmptySubsequences: true)
            guard columns.count > 7, columns[3] == listening,
                columns[7] == path || !columns[7].hasPrefix("/") && path.hasSuffix("/\(columns[7])")
            else { return nil }
            return (String(columns[7]), String(columns[6]))
        }
    }

    /// Finds the process that has a socket. Of several it is the one that was there first: the others have the socket
    /// of it, as what it starts may.
    private static func process(with inode: String) -> (name: String, id: Int)? {
        let wanted = "socket:[\(inode)]"
        let holders = ((try? Directory(path: "/proc").names()) ?? []).compactMap { Int($0) }.filter { id in
            let folder = "/proc/\(id)/fd"
            let names = try? Directory(path: folder).names()
            return names?.contains { PathTrail.target(ofLink: "\(folder)/\($0)") == wanted } ?? false
        }
        let first = holders.first { id in parent(of: id).map { !holders.contains($0) } ?? false }
        guard let id = first ?? holders.first else { return nil }
        let name = (try? FileContents.read("/proc/\(id)/comm")) ?? []
        return (String(decoding: name, as: UTF8.self).filter { $0 != "\n" }, id)
    }

    private static func parent(of id: Int) -> Int? {
        let lines = (try? FileContents.read("/proc/\(id)/status")).map { String(decoding: $0, as: UTF8.self) }
        return lines?.split(separator: "\n").first { $0.hasPrefix("PPid:") }
            .flatMap { $0.split(separator: "\t").last.flatMap { Int($0) } }
    }
}

extension AddressHolder: CustomStringConvertible {
    var description: String {
        if let process { return "process \(process.id) (\(PrintableText(process.name, limit: 40)))" }
        return "a process of \(user == 0 ? "root" : "the user with number \(user)")"
    }
}
