import Credentials
import Glibc
import NIOCore

/// Reads the events of inotify(7), and tells of them once for each time that the kernel had some.
///
/// An event is four 32-bit numbers in the machine's order (watch, mask, cookie, length) and a name of that length,
/// padded with zero bytes. The kernel gives whole events only.
final class InotifyHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = Never

    private let changed: @Sendable (VaultWatcher.Changes) -> Void
    private var changes = VaultWatcher.Changes()
    private var told: Set<String> = []

    init(changed: @escaping @Sendable (VaultWatcher.Changes) -> Void) {
        self.changed = changed
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        while let (_, mask, _, count) = buffer.readMultipleIntegers(
            endianness: .host,
            as: (Int32, UInt32, UInt32, UInt32).self
        ) {
            guard let name = buffer.readBytes(length: Int(count)) else {
                changes.overflowed = true
                break
            }
            add(mask, name: name.prefix { $0 != 0 })
        }
        // Not what the kernel gives: who knows what is missing.
        if buffer.readableBytes > 0 { changes.overflowed = true }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard !changes.isEmpty else { return }
        let complete = changes
        changes = VaultWatcher.Changes()
        told = []
        changed(complete)
    }

    private func add(_ mask: UInt32, name: ArraySlice<UInt8>) {
        let endOfWatch = UInt32(IN_Q_OVERFLOW | IN_IGNORED | IN_UNMOUNT | IN_DELETE_SELF | IN_MOVE_SELF)
        guard mask & endOfWatch == 0 else {
            changes.overflowed = true
            return
        }
        guard mask & UInt32(IN_ISDIR) == 0, let name = String(validating: name, as: UTF8.self),
            let fileName = Vault.fileName(ofChange: name), told.insert(fileName).inserted
        else { return }
        changes.fileNames.append(fileName)
    }
}

@available(*, unavailable)
extension InotifyHandler: Sendable {}
