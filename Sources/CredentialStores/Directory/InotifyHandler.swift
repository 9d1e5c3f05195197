import Credentials
import DirectoryWatching
import NIOCore

/// Reads the events of inotify(7), and tells of them once for each time that the kernel had some.
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
        while let event = InotifyEvent(from: &buffer) { add(event) }
        // Not what the kernel gives: who knows what is missing.
        if buffer.readableBytes > 0 { changes.hasOverflowed = true }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard !changes.isEmpty else { return }
        let complete = changes
        changes = VaultWatcher.Changes()
        told = []
        changed(complete)
    }

    private func add(_ event: InotifyEvent) {
        guard !event.isEndOfWatch else {
            changes.hasOverflowed = true
            return
        }
        guard !event.isOfDirectory, let fileName = event.name.flatMap({ Vault.fileName(ofChange: $0) }),
            told.insert(fileName).inserted
        else { return }
        changes.fileNames.append(fileName)
    }
}

@available(*, unavailable)
extension InotifyHandler: Sendable {}
