import Hummingbird
import NIOCore

/// What is known of a request besides its message.
struct AdminContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The IP address that it comes from; nil: unknown.
    let address: String?
    /// Who sent it, for the log.
    var client: String { address ?? "unknown" }

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        address = source.channel.remoteAddress?.ipAddress
    }
}
