import Glibc
import NIOCore
import NIOPosix

@testable import ForwardProxy

/// A log that is waited for; over when nobody can write to it any more.
final class LogPipe: Sendable {
    let sink: LogSink
    private let inbox: Inbox

    private init(descriptor: Int32, inbox: Inbox) {
        self.inbox = inbox
        // A loop may have lines to write when the proxy has ended: by then the number must not be another file's.
        sink = LogSink(descriptor: descriptor, closes: true)
    }

    static func open() async throws -> LogPipe {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw IOError(errnoCode: errno, reason: "pipe") }
        let inbox = Inbox()
        _ = try await NIOPipeBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(InboxHandler(inbox))
                }
            }
            .takingOwnershipOfDescriptor(input: ends[0])
            .get()
        return LogPipe(descriptor: ends[1], inbox: inbox)
    }

    /// All that was written so far, as soon as it is as it should be.
    func text(until isThere: @Sendable (String) -> Bool) async throws -> String {
        try await inbox.wait { contents in
            let text = String(buffer: contents.bytes)
            return isThere(text) ? text : nil
        }
    }
}
