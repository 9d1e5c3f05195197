import Hummingbird
import NIOCore

/// What is known of a request besides its message.
struct AdminContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Who sent it, for the log.
    let client: String

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        client = source.channel.remoteAddress?.ipAddress ?? "unknown"
    }
}
