import Logging
import NIOCore

/// Writes the lines of an event loop's access log before any other line.
struct OrderedLogHandler: LogHandler {
    private var base: any LogHandler
    private let accessLog: NIOLoopBound<AccessLog>

    init(_ base: any LogHandler, accessLog: NIOLoopBound<AccessLog>) {
        self.base = base
        self.accessLog = accessLog
    }

    var logLevel: Logger.Level {
        get { base.logLevel }
        set { base.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { base.metadata }
        set { base.metadata = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { base[metadataKey: key] }
        set { base[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        if accessLog.eventLoop.inEventLoop { accessLog.value.flush() }
        base.log(event: event)
    }
}
