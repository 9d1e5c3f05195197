/// A TCP socket as the kernel lists it, with those of all processes (proc(5)).
package struct ListedSocket {
    /// The end of its own: the address and, behind a colon, the port, in hexadecimal digits.
    package let local: Substring
    /// The far end, written in the same way.
    package let remote: Substring
    package let isListening: Bool
    package let user: UInt32
    package let inode: Substring

    /// Reads a row of the table; nil for a line that is none.
    private init?(_ line: Substring) {
        let columns = line.split(separator: " ", omittingEmptySubsequences: true)
        guard columns.count > 9, let user = UInt32(columns[7]) else { return nil }
        local = columns[1]
        remote = columns[2]
        isListening = columns[3] == "0A"
        self.user = user
        inode = columns[9]
    }

    /// Indicates whether a process has it open; a socket that none has is listed as root's.
    package var isOpen: Bool { inode != "0" }

    /// The kernel's tables as far as they can be read, that of IPv4 and that of IPv6, each as it is at the time when it
    /// is asked for.
    package static var tables: some Sequence<String> {
        ["/proc/net/tcp", "/proc/net/tcp6"].lazy.compactMap { path in
            (try? FileContents.read(path)).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// The sockets of a table.
    package static func all(in table: String) -> some Sequence<ListedSocket> {
        table.split(separator: "\n").dropFirst().lazy.compactMap { ListedSocket($0) }
    }
}
