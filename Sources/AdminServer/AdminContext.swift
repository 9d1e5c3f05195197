import Hummingbird
import NIOCore

/// The facts about a request besides its message.
struct AdminContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The IP address that it comes from; nil: unknown.
    let address: String?
    /// The sender of the request, for the log.
    var client: String { address ?? "unknown" }

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        address = source.channel.remoteAddress?.ipAddress
    }
}
