import Hummingbird
import NIOCore
import NIOSSL

/// A request's context that knows the connection, for what its TLS has agreed upon.
struct ProviderContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    private let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    var tlsVersion: String? {
        get async {
            switch try? await channel.nioSSL_tlsVersion().get() {
            case .tlsv1: "TLS 1.0"
            case .tlsv11: "TLS 1.1"
            case .tlsv12: "TLS 1.2"
            case .tlsv13: "TLS 1.3"
            case nil: nil
            }
        }
    }
}
